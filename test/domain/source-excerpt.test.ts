import { expect, test } from 'vitest'
import { sourceExcerpt } from '../../src/domain/source-excerpt.js'

test.each([
  ['the first column', 'const a b', 1, 1, '1 | const a b\n    ^'],
  ['a column within', 'const a b', 1, 9, '1 | const a b\n            ^'],
  ['a later line', 'one\ntwo\nthree', 3, 2, '3 | three\n     ^'],
  ['a wide line number', `${'\n'.repeat(11)}x`, 12, 1, '12 | x\n     ^'],
  ['tabs before the column', '\tif\tx', 1, 5, '1 | \tif\tx\n    \t  \t^'],
  ['astral characters before the column', "'😀' x", 1, 6, "1 | '😀' x\n         ^"],
  ['the second half of a character', "'😀' x", 1, 3, "1 | '😀' x\n     ^"],
  ['the end of the line', 'ab', 1, 3, '1 | ab\n      ^'],
  ['a column after the end', 'ab', 1, 99, '1 | ab\n      ^'],
  ['a column before the start', 'ab', 1, 0, '1 | ab\n    ^'],
  ['an empty line', 'a\n\nb', 2, 1, '2 | \n    ^'],
  ['CRLF', 'a\r\nb\r\nc', 2, 1, '2 | b\n    ^'],
  ['CR', 'a\rb\rc', 2, 1, '2 | b\n    ^'],
  ['the line separators of Unicode', 'a\u2028b\u2029c', 3, 1, '3 | c\n    ^'],
  ['control characters', 'a\0\u001b[31mb', 1, 8, '1 | a\uFFFD\uFFFD[31mb\n           ^'],
])('the excerpt marks %s', (_what, source, line, column, excerpt) => {
  expect(sourceExcerpt(source, line, column)).toBe(excerpt)
})

test('an excerpt without a column has no caret', () => {
  expect(sourceExcerpt('a\nb', 2)).toBe('2 | b')
})

test.each([
  ['after the last', 'a\nb', 3],
  ['zero', 'a', 0],
  ['negative', 'a', -1],
  ['between two', 'a\nb', 1.5],
  ['not a number', 'a', Number.NaN],
  ['infinite', 'a', Number.POSITIVE_INFINITY],
])('a line that is %s has no excerpt', (_what, source, line) => {
  expect(sourceExcerpt(source, line, 1)).toBe('')
})

const markedIn = (excerpt: string): string => {
  const [shown = '', caret = ''] = excerpt.split('\n')
  return shown.charAt(caret.indexOf('^'))
}

test.each([1, 2, 80, 81, 82, 160, 161, 500, 921, 922, 1_000])(
  'column %i of a long line is shown and marked',
  (column) => {
    const line = `${'a'.repeat(column - 1)}#${'b'.repeat(1_000 - column)}`
    const excerpt = sourceExcerpt(line, 1, column)
    const [shown = ''] = excerpt.split('\n')
    expect(markedIn(excerpt)).toBe('#')
    expect(shown.length - '1 | '.length).toBe(160)
    expect(shown.includes(' | …')).toBe(column > 81)
    expect(shown.endsWith('…')).toBe(column < 921)
  },
)

test.each([300, 301, 302])('a long line is cut between characters around column %i', (column) => {
  expect(sourceExcerpt('😀'.repeat(500), 1, column)).not.toMatch(/\p{Cs}/u)
})

test('an excerpt of ten million characters is small', () => {
  expect(sourceExcerpt('x'.repeat(10_000_000), 1, 5_000_000).length).toBeLessThan(400)
})

test('a long line without a column shows its beginning', () => {
  expect(sourceExcerpt(`start${'x'.repeat(500)}`, 1)).toBe(`1 | start${'x'.repeat(154)}…`)
})
