import fc from 'fast-check'
import { expect, test } from 'vitest'
import { truncationMarker } from '../../src/domain/ledger.js'
import { LogBook, type LogOrigin } from '../../src/domain/log-book.js'
import type { OutputStream } from '../../src/domain/outcome.js'
import { holds } from '../support/property.js'

type Text = {
  readonly text: string
  readonly open?: boolean
  readonly stream?: OutputStream
  readonly origin?: LogOrigin
}

const write = (maxLogBytes: number, texts: readonly Text[]): LogBook => {
  const book = new LogBook(maxLogBytes)
  for (const { stream = 'stdout', text, open = false, origin } of texts) book.add(stream, text, open, origin)
  return book
}

const closed = (text: string): Text => ({ text })
const open = (text: string): Text => ({ text, open: true })
const times = (count: number, text: Text): Text[] => Array.from({ length: count }, () => text)

test.each<[string, readonly Text[], readonly string[]]>([
  ['one entry a line', [closed('a b'), closed('c')], ['a b', 'c']],
  ['a text of several lines', [closed('a\nb')], ['a', 'b']],
  ['an open line that is never closed', [open('partial')], ['partial']],
  ['an open line and what closes it', [open('a'), closed('b')], ['ab']],
  ['an open line of many pieces', [open('x'), ...times(300, open('a')), closed('y')], [`x${'a'.repeat(300)}y`]],
  ['an open line that only its end closes', [...times(16, open('x')), closed(''), closed('z')], ['x'.repeat(16), 'z']],
  ['a blank line', [closed('a'), closed(''), closed('b')], ['a', '', 'b']],
  ['tabs, quotes and controls', [closed('\t"\\\u0001é')], ['\t"\\\u0001é']],
  [
    'streams that interleave',
    [open('out'), { text: 'err', open: true, stream: 'stderr' }, closed('put'), { text: 'or', stream: 'stderr' }],
    ['output', 'error'],
  ],
  [
    'an open line, which stays where its first piece came',
    [open('a'), { text: 'between', stream: 'stderr' }, closed('b')],
    ['ab', 'between'],
  ],
  ['open lines of stream and descriptor', [open('a'), { text: 'raw', origin: 'stray' }, closed('b')], ['ab', 'raw']],
])('%s', (_what, texts, entries) => {
  const book = write(4_096, texts)
  expect(book.entries).toEqual(entries)
  expect(book.isTruncated).toBe(false)
})

const X60 = 'x'.repeat(60)

test.each<[string, number, readonly Text[], readonly string[]]>([
  ['60 characters fit 64 bytes', 64, [closed(X60)], [X60]],
  ['61 do not', 64, [closed(`${X60}x`)], [truncationMarker(64)]],
  ['a second line does not', 64, [closed(X60), closed('late')], [X60, truncationMarker(64)]],
  ['a blank second line does not', 64, [closed(X60), closed('')], [X60, truncationMarker(64)]],
  ['30 flushed and 30 closing fit', 64, [open('x'.repeat(30)), closed('x'.repeat(30))], [X60]],
  [
    '40 flushed and 40 closing do not',
    64,
    [open('x'.repeat(40)), closed('x'.repeat(40))],
    ['x'.repeat(40), truncationMarker(64)],
  ],
  ['a flood of open characters is cut at 60', 64, times(2_000, open('a')), ['a'.repeat(60), truncationMarker(64)]],
  ['nothing follows an open flood', 64, [...times(61, open('a')), closed('b')], ['a'.repeat(60), truncationMarker(64)]],
  [
    'a flushed word is kept before the marker',
    64,
    [open('word'), closed('y'.repeat(100))],
    ['word', truncationMarker(64)],
  ],
  ['11 NULs cost 66', 64, [closed('\0'.repeat(11))], [truncationMarker(64)]],
  ['10 NULs cost 60', 64, [closed('\0'.repeat(10))], ['\0'.repeat(10)]],
  ['lone surrogates cost 6 each', 4_096, [closed('\ud800'.repeat(1_000))], [truncationMarker(4_096)]],
])('%s', (_what, maxLogBytes, texts, entries) => {
  const book = write(maxLogBytes, texts)
  expect(book.entries).toEqual(entries)
  expect(book.isTruncated).toBe(entries.at(-1) === truncationMarker(maxLogBytes))
})

test('fifty prints of ten characters in 128 bytes end in one marker', () => {
  const { entries } = write(128, times(50, closed('0123456789')))
  expect(entries).toEqual([...Array(9).fill('0123456789'), truncationMarker(128)])
})

test('500 prints of ten NULs stay small', () => {
  const { entries } = write(256, times(500, closed('\0'.repeat(10))))
  expect(entries.at(-1)).toBe(truncationMarker(256))
  expect(Buffer.byteLength(JSON.stringify(entries))).toBeLessThan(1_024)
})

test('a truncation that the guest reports ends the capture once', () => {
  const book = write(4_096, [closed('a')])
  book.truncate('stderr')
  book.truncate('stdout')
  book.add('stdout', 'late', false)
  expect(book.entries).toEqual(['a', truncationMarker(4_096)])
})

test('a program that prints the marker ends nothing', () => {
  const book = write(4_096, [closed(truncationMarker(4_096)), closed('b')])
  expect(book.entries).toEqual([truncationMarker(4_096), 'b'])
  expect(book.isTruncated).toBe(false)
})

test('a listener hears every admitted piece with its stream, then the marker, then nothing', () => {
  const heard: unknown[] = []
  const book = new LogBook(64, (...piece) => heard.push(piece))
  book.add('stdout', 'a\nb', true)
  book.add('stderr', 'c', false, 'stray')
  book.add('stdout', '', false)
  book.add('stderr', 'x'.repeat(60), false)
  book.add('stdout', 'late', false)
  expect(heard).toEqual([
    ['stdout', 'a', false],
    ['stdout', 'b', true],
    ['stderr', 'c', false],
    ['stdout', '', false],
    ['stderr', truncationMarker(64), false],
  ])
})

test('what is kept never takes more than the budget, and the marker is the last entry', () => {
  const text = fc.record({
    stream: fc.constantFrom<OutputStream>('stdout', 'stderr'),
    text: fc.string({ unit: fc.constantFrom('a', '\n', '"', '\0', 'é', '😀', '\ud83d', '\ude00'), maxLength: 12 }),
    open: fc.boolean(),
    origin: fc.constantFrom<LogOrigin>('frame', 'stray'),
  })
  holds(
    fc.property(fc.integer({ min: 64, max: 160 }), fc.array(text, { maxLength: 30 }), (maxLogBytes, texts) => {
      const { entries, isTruncated } = write(maxLogBytes, texts)
      const kept = isTruncated ? entries.slice(0, -1) : entries
      expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThanOrEqual(maxLogBytes)
      if (isTruncated) expect(entries.at(-1)).toBe(truncationMarker(maxLogBytes))
    }),
  )
})
