import { transformSync } from '@swc/wasm-typescript'
import { expect, test } from 'vitest'
import { decodeMappings, findOriginal, readInlineSourceMap } from '../../src/domain/source-map.js'

const PREFIX = '//# sourceMappingURL=data:application/json;base64,'

const inline = (map: object): string => PREFIX + Buffer.from(JSON.stringify(map)).toString('base64')

const bySwc = (source: string): { code: string; mapped: string } => {
  const { code, map = '' } = transformSync(source, { mode: 'transform', sourceMap: true })
  return { code, mapped: code + inline({ ...JSON.parse(map), sourcesContent: [source] }) }
}

const positionOf = (text: string, part: string) => {
  const lines = text.slice(0, text.indexOf(part)).split('\n')
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}

test.each(['first(', 'second(', 'third(', 'fourth('])('a map of swc leads %s back to the source', (part) => {
  const source = [
    'enum Kind { A, B = 5 }',
    "const label = '日本😀'; first(Kind.A as number)",
    'namespace Space {',
    '  export const x: number = second(label)',
    '}',
    'class Point { constructor(private x: number) { third(`a',
    `\${x}\`) } }; const y = <number>fourth(1)`,
  ].join('\n')
  const { code, mapped } = bySwc(source)
  const { line, column } = positionOf(code, part)
  expect(readInlineSourceMap(mapped)?.original(line, column)).toEqual(positionOf(source, part))
})

test.each(['', 'a', 'ab', 'abc', '日本', '😀 %41 é', '"\ud800"', '\0\u2028'])(
  'the source %j crosses in the map',
  (source) => {
    const map = readInlineSourceMap(`x\n${inline({ version: 3, sourcesContent: [source], mappings: '' })}`)
    expect(map?.source).toBe(source)
  },
)

test.each([
  ['no map', 'return 1'],
  ['an empty text', ''],
  ['a map that is not the last line', `${inline({ sourcesContent: ['x'], mappings: '' })}\n`],
  ['a map by address', '//# sourceMappingURL=code.js.map'],
  ['a map that is no JSON', `${PREFIX}////`],
  ['a map without its source', inline({ mappings: '' })],
])('%s reads as no map', (_what, code) => {
  expect(readInlineSourceMap(code)).toBeUndefined()
})

test('a position between two segments belongs to the one before it', () => {
  const segments = decodeMappings('AAAA,IAAI,IAAI')
  expect(findOriginal(segments, { line: 1, column: 8 })).toEqual({ line: 1, column: 5 })
})

test('a position left of the first segment of its line belongs to that one', () => {
  expect(findOriginal(decodeMappings('IAAA'), { line: 1, column: 1 })).toEqual({ line: 1, column: 1 })
})

test('a line without segments has no original', () => {
  expect(findOriginal(decodeMappings('AAAA;;AACA'), { line: 2, column: 1 })).toBeUndefined()
})

test('numbers of many digits and of both signs are read', () => {
  expect(decodeMappings('A,ggggCAggggCgggC,DADD')).toEqual([
    { line: 1, column: 1_048_577, original: { line: 1_048_577, column: 32_769 } },
    { line: 1, column: 1_048_576, original: { line: 1_048_576, column: 32_768 } },
  ])
})

test('a map of five thousand lines is read without recursion', () => {
  const segments = decodeMappings('AAAA,CAAC;'.repeat(5_000))
  expect(segments).toHaveLength(10_000)
})
