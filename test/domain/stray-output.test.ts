import fc from 'fast-check'
import { expect, test } from 'vitest'
import { truncationMarker } from '../../src/domain/ledger.js'
import { LogBook } from '../../src/domain/log-book.js'
import type { OutputStream } from '../../src/domain/outcome.js'
import { StrayOutput } from '../../src/domain/stray-output.js'
import { holds } from '../support/property.js'

type Chunk = string | readonly number[] | Uint8Array
type Write = Chunk | readonly [OutputStream, Chunk]

const isTagged = (write: Write): write is readonly [OutputStream, Chunk] =>
  Array.isArray(write) && typeof write[0] === 'string'
const bytesOf = (chunk: Chunk): Uint8Array => (typeof chunk === 'string' ? Buffer.from(chunk) : Uint8Array.from(chunk))

const capture = (maxLogBytes: number, writes: readonly Write[]): readonly string[] => {
  const log = new LogBook(maxLogBytes)
  const stray = new StrayOutput(log)
  for (const write of writes) {
    const [stream, chunk] = isTagged(write) ? write : (['stdout', write] as const)
    stray.add(stream, bytesOf(chunk))
  }
  stray.end()
  return log.entries
}

const onebyOne = (bytes: Uint8Array): Uint8Array[] => [...bytes].map((byte) => Uint8Array.of(byte))
const repeated = (count: number, ...bytes: number[]): number[] => Array.from({ length: count }, () => bytes).flat()

test.each<[string, readonly Write[], readonly string[]]>([
  ['three words, the last unterminated', ['one\ntwo\nthree'], ['one', 'two', 'three']],
  ['a line in three chunks', ['o', 'n', 'e\n'], ['one']],
  ['a newline of its own', ['one', '\n', 'two', '\n'], ['one', 'two']],
  ['blank lines', ['\n\na\n\n'], ['', '', 'a', '']],
  ['empty chunks', ['', 'a', '', '\n', ''], ['a']],
  ['nothing', [], []],
  ['a carriage return', ['a\r\nb'], ['a\r', 'b']],
  [
    'both streams, as lines',
    [
      ['stdout', 'o'],
      ['stderr', 'e\n'],
      ['stdout', 'k\n'],
    ],
    ['e', 'ok'],
  ],
  [
    'unterminated lines of both streams',
    [
      ['stderr', 'e'],
      ['stdout', 'o'],
    ],
    ['o', 'e'],
  ],
  ['a byte order mark', [[0xef, 0xbb, 0xbf, 0x61, 0x0a]], ['\ufeffa']],
])('%s', (_what, writes, entries) => {
  expect(capture(4_096, writes)).toEqual(entries)
})

test.each<[string, readonly Write[], string]>([
  ['a character of two bytes in two chunks', [[0xc3], [0xa9]], 'é'],
  ['a character of three bytes in three chunks', [[0xe2], [0x82], [0xac]], '€'],
  ['an astral character in four chunks', [[0xf0], [0x9f], [0x98], [0x80]], '😀'],
  [
    'a character split across the streams',
    [
      ['stdout', [0xc3]],
      ['stderr', '-'],
      ['stdout', [0xa9, 0x0a]],
    ],
    'é',
  ],
  ['a byte that is never legal', [[0xff]], '\ufffd'],
  ['an encoded surrogate', [[0xed, 0xa0, 0x80]], '\ufffd\ufffd\ufffd'],
  ['an encoded surrogate in three chunks', [[0xed], [0xa0], [0x80]], '\ufffd\ufffd\ufffd'],
  ['a sequence that a letter cuts short', [[0xf0, 0x9f, 0x61]], '\ufffda'],
  ['a sequence that a newline cuts short', [[0xe2, 0x82, 0x0a]], '\ufffd'],
  ['a sequence that the end cuts short', ['a', [0xe2, 0x82]], 'a\ufffd'],
])('%s reads %j', (_what, writes, entry) => {
  expect(capture(4_096, writes)).toContain(entry)
})

test.each<[string, number, readonly Write[], readonly string[]]>([
  ['60 bytes in 64', 64, ['A'.repeat(60)], ['A'.repeat(60)]],
  ['61 bytes', 64, ['A'.repeat(61)], [truncationMarker(64)]],
  ['60 bytes and a newline in two chunks', 64, ['A'.repeat(60), '\n'], ['A'.repeat(60)]],
  ['a line that is too long, then one that is not', 64, [`${'A'.repeat(100)}\nlate\n`], [truncationMarker(64)]],
  ['a line, then one that is too long', 64, [`ok\n${'A'.repeat(100)}`], ['ok', truncationMarker(64)]],
  ['NULs, 6 bytes each', 4_096, ['\0'.repeat(4_000)], [truncationMarker(4_096)]],
  ['illegal bytes, 3 bytes each', 3_072, onebyOne(Uint8Array.from(repeated(3_200, 0xff))), [truncationMarker(3_072)]],
  [
    'encoded surrogates, 9 bytes each',
    3_072,
    onebyOne(Uint8Array.from(repeated(400, 0xed, 0xa0, 0x80))),
    [truncationMarker(3_072)],
  ],
  ['2 MB without a newline', 4_096, repeated(32, 0).map(() => 'y'.repeat(65_536)), [truncationMarker(4_096)]],
])('%s', (_what, maxLogBytes, writes, entries) => {
  expect(capture(maxLogBytes, writes)).toEqual(entries)
})

test('unterminated lines of both streams wait within one budget', () => {
  const writes: Write[] = [
    ['stdout', 'o'.repeat(30)],
    ['stderr', 'e'.repeat(33)],
  ]
  expect(capture(200, writes)).toEqual(['o'.repeat(30), 'e'.repeat(33)])
  expect(capture(64, [...writes, ['stderr', 'e']])).toEqual(['o'.repeat(30), truncationMarker(64)])
})

test.each<[string, readonly OutputStream[], readonly number[]]>([
  ['one stream', ['stdout', 'stdout'], [40, 23]],
  ['the other stream', ['stderr', 'stderr'], [40, 23]],
  ['both streams', ['stdout', 'stderr'], [40, 23]],
  ['both streams, the other way round', ['stderr', 'stdout'], [23, 40]],
])('what waits of %s and can no longer fit ends the capture at once', (_what, streams, counts) => {
  for (const [extra, isTruncated] of [
    [0, false],
    [1, true],
  ] as const) {
    const log = new LogBook(64)
    const stray = new StrayOutput(log)
    stray.add(streams[0]!, Buffer.alloc(counts[0]!, 'a'))
    stray.add(streams[1]!, Buffer.alloc(counts[1]! + extra, 'b'))
    expect(log.isTruncated).toBe(isTruncated)
  }
})

test('characters of every width stay whole across the bounds of a pipe', () => {
  for (const character of ['é', '€', '😀', '\ufffd']) {
    const bytes = Buffer.from('a'.repeat(65_535) + character)
    expect(capture(1_048_576, [bytes.subarray(0, 65_536), bytes.subarray(65_536)])).toEqual([bytes.toString()])
  }
})

test('a character that is in part there when the budget ends leaves no trace', () => {
  expect(capture(64, ['a'.repeat(58), [0xe2, 0x82]])).toEqual([truncationMarker(64)])
  expect(capture(64, ['a'.repeat(57), [0xe2, 0x82], [0xac, 0x0a], 'b'])).toEqual([
    `${'a'.repeat(57)}€`,
    truncationMarker(64),
  ])
})

test('after the marker nothing is kept, also of what waited', () => {
  const log = new LogBook(64)
  const stray = new StrayOutput(log)
  stray.add('stdout', Buffer.from('waits'))
  log.truncate('stderr')
  stray.add('stdout', Buffer.from('late\n'))
  stray.end()
  expect(log.entries).toEqual([truncationMarker(64)])
})

test('a line of the language does not end an unterminated one of the descriptor', () => {
  const log = new LogBook(4_096)
  const stray = new StrayOutput(log)
  stray.add('stdout', Buffer.from('raw '))
  log.add('stdout', 'printed', false)
  stray.add('stdout', Buffer.from('line\n'))
  stray.end()
  expect(log.entries).toEqual(['printed', 'raw line'])
})

test('60,000 one-byte chunks of one line are one entry', () => {
  expect(capture(200_000, onebyOne(Buffer.from(`${'z'.repeat(60_000)}\n`)))).toEqual(['z'.repeat(60_000)])
})

const rawByte = fc.oneof(
  fc.constantFrom(0x0a, 0x61, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80, 0xff),
  fc.nat(255),
)
const rawBytes = fc.array(rawByte, { maxLength: 120 }).map((bytes) => Uint8Array.from(bytes))
const cuts = fc.array(fc.nat(120), { maxLength: 12 })

const cutAt = (bytes: Uint8Array, places: readonly number[]): Uint8Array[] => {
  const bounds = [0, ...places.filter((place) => place <= bytes.length).toSorted((a, b) => a - b), bytes.length]
  return bounds.slice(1).map((end, index) => bytes.subarray(bounds[index], end))
}

test('any chunking of the same bytes gives the same entries', () => {
  holds(
    fc.property(rawBytes, cuts, fc.integer({ min: 64, max: 400 }), (bytes, places, maxLogBytes) => {
      expect(capture(maxLogBytes, cutAt(bytes, places))).toEqual(capture(maxLogBytes, [bytes]))
    }),
  )
})

test('within the budget the entries are the lines of the text', () => {
  holds(
    fc.property(rawBytes, cuts, (bytes, places) => {
      const lines = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).split('\n')
      expect(capture(4_096, cutAt(bytes, places))).toEqual(lines.at(-1) === '' ? lines.slice(0, -1) : lines)
    }),
  )
})

test('within the budget, streams that interleave each keep their own lines', () => {
  holds(
    fc.property(rawBytes, rawBytes, cuts, (out, err, places) => {
      const writes: Write[] = cutAt(out, places).flatMap((chunk, index): Write[] => {
        const other = cutAt(err, places)[index]
        return other === undefined
          ? [['stdout', chunk]]
          : [
              ['stdout', chunk],
              ['stderr', other],
            ]
      })
      const rest = cutAt(err, places).slice(cutAt(out, places).length)
      const all = [...writes, ...rest.map((chunk): Write => ['stderr', chunk])]
      const expected = [...capture(4_096, [out]), ...capture(4_096, [err])]
      expect(capture(4_096, all).toSorted()).toEqual(expected.toSorted())
    }),
  )
})

test('what is kept of two streams never takes more than the budget', () => {
  const write = fc.tuple(fc.constantFrom<OutputStream>('stdout', 'stderr'), rawBytes)
  holds(
    fc.property(fc.integer({ min: 64, max: 200 }), fc.array(write, { maxLength: 8 }), (maxLogBytes, writes) => {
      const entries = capture(maxLogBytes, writes)
      const kept = entries.filter((entry) => entry !== truncationMarker(maxLogBytes))
      expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThanOrEqual(maxLogBytes)
      expect(entries.length - kept.length).toBeLessThanOrEqual(1)
    }),
  )
})
