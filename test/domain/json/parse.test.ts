import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasInexactInteger } from '../../../src/domain/json/tokens.js'
import { holds } from '../../support/property.js'
import { codec } from './codecs.js'

const INEXACT = [
  '9007199254740993',
  '-9007199254740993',
  '1152921504606846977',
  '1152921504606847000',
  `1${'0'.repeat(399)}`,
  '9'.repeat(309),
  '9'.repeat(310),
]
const EXACT = [
  '0',
  '-1',
  '9007199254740991',
  '9007199254740992',
  '-9007199254740992',
  '18446744073709551616',
  '1152921504606846976',
  '9007199254740993.0',
  '9e99',
  '0.12345678901234567890',
  '-0.9007199254740993',
  '1e-9007199254740993',
  '1E+0000000000000000001',
  '9007199254740993e0',
  '9007199254740993E1',
  '1e0000000000000000001',
  '"9007199254740993"',
  '"a 9007199254740993"',
  '"\\"9007199254740993"',
  '"\\\\"',
  '{"9007199254740993":1}',
  '["\\\\\\"9007199254740993",1]',
  BigInt(2 ** 1000).toString(),
  BigInt(Number.MAX_VALUE).toString(),
]
const AROUND = [
  '#',
  '[#]',
  '[1,#]',
  '[ # ]',
  '{"a":#}',
  '{"9007199254740993":[#,"x"]}',
  '["9007199254740993",#]',
  '["\\\\",#]',
  '["\\"",#]',
  '\n\t#\n',
  '[[],{"a":"1234567890123456789"},#,"9007199254740993"]',
]

describe('parsing', () => {
  it.each(EXACT)('takes %s, wherever it is', (token) => {
    for (const around of AROUND) {
      const text = around.replace('#', () => token)
      expect(codec.parse(text)).toStrictEqual({ ok: true, value: JSON.parse(text) })
    }
  })

  it.each(INEXACT)('refuses the integer %s, wherever it is', (token) => {
    for (const around of AROUND) expect(codec.parse(around.replace('#', () => token))).toStrictEqual({ ok: false })
  })

  it.each(['', '{', '[1,]', 'NaN', 'undefined', "'a'", '01', '[1] 2'])('refuses %j, which is no JSON', (text) => {
    expect(codec.parse(text)).toStrictEqual({ ok: false })
  })

  it('keeps an own __proto__ key', () => {
    const parsed = codec.parse('{"__proto__":1}')
    expect(parsed.ok && Object.hasOwn(parsed.value as object, '__proto__')).toBe(true)
  })

  it('takes 100,000 levels and long runs of digits, quotes and backslashes', () => {
    expect(codec.parse('['.repeat(100_000) + ']'.repeat(100_000)).ok).toBe(true)
    expect(codec.parse(`["${'\\\\'.repeat(500_000)}","${'\\"'.repeat(500_000)}",1234567890123456]`).ok).toBe(true)
    expect(codec.parse('1'.repeat(1_000_000)).ok).toBe(false)
    expect(codec.parse(`0.${'1'.repeat(1_000_000)}`).ok).toBe(true)
    expect(codec.parse(JSON.stringify(Array.from({ length: 200_000 }, () => '9'.repeat(20)))).ok).toBe(true)
    expect(codec.parse(`[${Array.from({ length: 200_000 }, () => '1234567890123456')},"x"]`).ok).toBe(true)
  })
})

describe('the scan of integer tokens', () => {
  it('finds an inexact integer at any place among any tokens', () => {
    const token = fc.oneof(
      fc.constantFrom(...EXACT),
      fc.string().map((text) => JSON.stringify(text)),
      fc.double({ noNaN: true, min: -(2 ** 53), max: 2 ** 53 }).map((value) => JSON.stringify(value)),
    )
    const space = fc.constantFrom('', ' ', '\n  ')
    const item = fc.tuple(space, token, space).map((parts) => parts.join(''))
    holds(
      fc.property(
        fc.array(item, { maxLength: 8 }),
        fc.constantFrom(...INEXACT),
        fc.array(item, { maxLength: 8 }),
        (before, bad, after) => {
          expect(hasInexactInteger(`[${[...before, ...after].join(',')}]`)).toBe(false)
          expect(hasInexactInteger(`[${[...before, bad, ...after].join(',')}]`)).toBe(true)
        },
      ),
    )
  })

  it('knows the integers that a double holds', () => {
    holds(
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (integer) => {
        expect(hasInexactInteger(`{"a":${integer}}`)).toBe(BigInt(Number(integer)) !== integer)
      }),
    )
  })
})
