import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Ledger, truncationMarker } from '../../src/domain/ledger.js'
import { holds } from '../support/property.js'

test('a ledger starts one byte below its budget', () => {
  expect(new Ledger(64).remainingBytes).toBe(63)
})

test.each([
  ['60 characters', 'a'.repeat(60), true],
  ['61 characters', 'a'.repeat(61), false],
  ['10 NULs, 6 bytes each', '\0'.repeat(10), true],
  ['11 NULs', '\0'.repeat(11), false],
  ['20 replacement characters, 3 bytes each', '\ufffd'.repeat(20), true],
  ['21 replacement characters', '\ufffd'.repeat(21), false],
  ['10 lone surrogates, 6 bytes each', '\ud800'.repeat(10), true],
  ['11 lone surrogates', '\ud800'.repeat(11), false],
  ['30 quotes, 2 bytes each', '"'.repeat(30), true],
  ['31 quotes', '"'.repeat(31), false],
  ['15 astral characters, 4 bytes each', '😀'.repeat(15), true],
  ['16 astral characters', '😀'.repeat(16), false],
])('of 64 bytes, %s as one entry: admitted is %s', (_what, text, isAdmitted) => {
  const ledger = new Ledger(64)
  expect(ledger.admitEntry(text)).toBe(isAdmitted)
  expect(ledger.remainingBytes).toBe(isAdmitted ? 0 : 63)
})

test('an empty entry costs its quotes and separator, an empty continuation nothing', () => {
  const ledger = new Ledger(64)
  expect(Array.from({ length: 22 }, () => ledger.admitEntry(''))).toEqual([...Array(21).fill(true), false])
  expect(ledger.remainingBytes).toBe(0)
  expect(ledger.admitContinuation('')).toBe(true)
})

test.each([
  [30, 30, true],
  [30, 31, false],
  [40, 40, false],
])('an entry of %i and a continuation of %i in 64 bytes: the second is admitted is %s', (first, second, isAdmitted) => {
  const ledger = new Ledger(64)
  expect(ledger.admitEntry('x'.repeat(first))).toBe(true)
  expect(ledger.admitContinuation('x'.repeat(second))).toBe(isAdmitted)
})

test('what is admitted never takes more than the budget as a JSON array', () => {
  const piece = fc.record({ text: fc.string({ unit: 'binary', maxLength: 12 }), continues: fc.boolean() })
  holds(
    fc.property(fc.integer({ min: 64, max: 200 }), fc.array(piece, { maxLength: 40 }), (maxLogBytes, pieces) => {
      const ledger = new Ledger(maxLogBytes)
      const entries: string[] = []
      for (const { text, continues } of pieces) {
        if (continues && entries.length > 0) {
          if (ledger.admitContinuation(text)) entries[entries.length - 1] += text
        } else if (ledger.admitEntry(text)) entries.push(text)
      }
      expect(Buffer.byteLength(JSON.stringify(entries))).toBeLessThanOrEqual(maxLogBytes)
    }),
  )
})

test.each([1, 64, 65_536, 1_048_576])('the marker names a budget of %i bytes', (maxLogBytes) => {
  expect(truncationMarker(maxLogBytes)).toBe(`[code-runtime] log capture truncated at ${maxLogBytes} bytes`)
})
