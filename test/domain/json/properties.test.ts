import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { holds } from '../../support/property.js'
import { codec, codecs } from './codecs.js'

const units = fc.array(fc.nat(0xffff), { maxLength: 12 }).map((codes) => String.fromCharCode(...codes))
const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), units)
const key = fc.oneof(
  { weight: 6, arbitrary: text },
  fc.constantFrom('__proto__', 'toJSON', 'constructor', 'length', '', '0', '17'),
)
const integer = fc.tuple(fc.integer({ min: -9, max: 9 }), fc.nat(1000)).map(([sign, exponent]) => sign * 2 ** exponent)
const number = fc
  .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), integer, fc.maxSafeInteger())
  .map((value) => (Object.is(value, -0) || !Number.isFinite(value) ? 0 : value))
const scalar = fc.oneof(number, text, fc.boolean(), fc.constant(null))

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 6 }),
    fc.array(scalar, { maxLength: 40 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 6 }).map((entries) => Object.fromEntries(entries)),
    fc.array(fc.tuple(key, scalar), { minLength: 60, maxLength: 90 }).map((entries) => Object.fromEntries(entries)),
  ),
}))

const bytesOf = (encoding: ReturnType<typeof codec.encode>): number => {
  if (!encoding.ok) throw new Error(JSON.stringify(encoding))
  return encoding.bytes
}

describe('any value', () => {
  it('comes back equal', () => {
    holds(
      fc.property(value, (original) => {
        const encoding = codec.encode(original)
        return encoding.ok && isDeepStrictEqual(JSON.parse(encoding.text), original)
      }),
    )
  })

  it('is as large as it says', () => {
    holds(
      fc.property(value, (original) => {
        const encoding = codec.encode(original)
        return encoding.ok && encoding.bytes === Buffer.byteLength(encoding.text)
      }),
    )
  })

  it('has the same text whichever way it is encoded', () => {
    holds(
      fc.property(value, (original) => {
        const encodings = Object.values(codecs).map((each) => each.encode(original))
        for (const encoding of encodings) expect(encoding).toStrictEqual(encodings[0])
      }),
    )
  })

  it('has the text of JSON.stringify, the exact digits of large integers excepted', () => {
    holds(
      fc.property(value, (original) => {
        const native = JSON.stringify(original)
        const encoding = codec.encode(original)
        return encoding.ok && (encoding.text === native || JSON.stringify(JSON.parse(encoding.text)) === native)
      }),
    )
  })

  it('fits into its bytes and not into one less', () => {
    holds(
      fc.property(value, (original) => {
        for (const each of Object.values(codecs)) {
          const bytes = bytesOf(each.encode(original))
          expect(each.encode(original, bytes)).toMatchObject({ ok: true, bytes })
          expect(each.encode(original, bytes - 1)).toMatchObject({ kind: 'over-budget' })
        }
      }),
    )
  })

  it('is measured as it is encoded', () => {
    holds(
      fc.property(value, (original) => {
        const bytes = bytesOf(codec.encode(original))
        expect(codec.measure(original, bytes)).toStrictEqual({ kind: 'fits', bytes })
        expect(codec.measure(original, bytes - 1)).toStrictEqual({ kind: 'over-budget' })
      }),
    )
  })

  it('is parsed from its text', () => {
    holds(
      fc.property(value, (original) => {
        const encoding = codec.encode(original)
        return encoding.ok && isDeepStrictEqual(codec.parse(encoding.text), { ok: true, value: original })
      }),
    )
  })

  it('is refused alike whichever way it is encoded, once something in it is lossy', () => {
    const lossy = fc.constantFrom(
      NaN,
      -0,
      undefined,
      1n,
      new Date(0),
      new Map(),
      new Array(1),
      () => 1,
      Object.assign([], { x: 1 }),
    )
    holds(
      fc.property(fc.array(value, { maxLength: 4 }), key, lossy, (values, name, bad) => {
        const original = [...values, { a: values, [name]: [0, bad] }]
        const encodings = Object.values(codecs).map((each) => each.encode(original))
        for (const encoding of encodings) expect(encoding).toStrictEqual(encodings[0])
        expect(encodings[0]).toMatchObject({ ok: false, kind: 'lossy' })
      }),
    )
  })
})
