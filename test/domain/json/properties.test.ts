import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyJson, anyKey } from '../../support/json-values.js'
import { holds } from '../../support/property.js'
import { codec, codecs } from './codecs.js'

const bytesOf = (encoding: ReturnType<typeof codec.encode>): number => {
  if (!encoding.ok) throw new Error(JSON.stringify(encoding))
  return encoding.bytes
}

describe('any value', () => {
  it('comes back equal', () => {
    holds(
      fc.property(anyJson, (original) => {
        const encoding = codec.encode(original)
        return encoding.ok && isDeepStrictEqual(JSON.parse(encoding.text), original)
      }),
    )
  })

  it('is as large as it says', () => {
    holds(
      fc.property(anyJson, (original) => {
        const encoding = codec.encode(original)
        return encoding.ok && encoding.bytes === Buffer.byteLength(encoding.text)
      }),
    )
  })

  it('has the same text whichever way it is encoded', () => {
    holds(
      fc.property(anyJson, (original) => {
        const encodings = Object.values(codecs).map((each) => each.encode(original))
        for (const encoding of encodings) expect(encoding).toStrictEqual(encodings[0])
      }),
    )
  })

  it('has the text of JSON.stringify, the exact digits of large integers excepted', () => {
    holds(
      fc.property(anyJson, (original) => {
        const native = JSON.stringify(original)
        const encoding = codec.encode(original)
        return encoding.ok && (encoding.text === native || JSON.stringify(JSON.parse(encoding.text)) === native)
      }),
    )
  })

  it('fits into its bytes and not into one less', () => {
    holds(
      fc.property(anyJson, (original) => {
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
      fc.property(anyJson, (original) => {
        const bytes = bytesOf(codec.encode(original))
        expect(codec.measure(original, bytes)).toStrictEqual({ kind: 'fits', bytes })
        expect(codec.measure(original, bytes - 1)).toStrictEqual({ kind: 'over-budget' })
      }),
    )
  })

  it('is parsed from its text', () => {
    holds(
      fc.property(anyJson, (original) => {
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
      fc.property(fc.array(anyJson, { maxLength: 4 }), anyKey, lossy, (values, name, bad) => {
        const original = [...values, { a: values, [name]: [0, bad] }]
        const encodings = Object.values(codecs).map((each) => each.encode(original))
        for (const encoding of encodings) expect(encoding).toStrictEqual(encodings[0])
        expect(encodings[0]).toMatchObject({ ok: false, kind: 'lossy' })
      }),
    )
  })
})
