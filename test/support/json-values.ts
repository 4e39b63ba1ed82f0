import fc from 'fast-check'

const units = fc.array(fc.nat(0xffff), { maxLength: 12 }).map((codes) => String.fromCharCode(...codes))
const integer = fc.tuple(fc.integer({ min: -9, max: 9 }), fc.nat(1000)).map(([sign, exponent]) => sign * 2 ** exponent)
const number = fc
  .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), integer, fc.maxSafeInteger())
  .map((value) => (Object.is(value, -0) || !Number.isFinite(value) ? 0 : value))

/** Any text: lone surrogates, controls and all. */
export const anyText = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), units)

export const anyKey = fc.oneof(
  { weight: 6, arbitrary: anyText },
  fc.constantFrom('__proto__', 'toJSON', 'constructor', 'length', '', '0', '17'),
)

const scalar = fc.oneof(number, anyText, fc.boolean(), fc.constant(null))

/** Any value that crosses without loss. */
export const { value: anyJson } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 6 }),
    fc.array(scalar, { maxLength: 40 }),
    fc.array(fc.tuple(anyKey, tie('value')), { maxLength: 6 }).map((entries) => Object.fromEntries(entries)),
    fc.array(fc.tuple(anyKey, scalar), { minLength: 60, maxLength: 90 }).map((entries) => Object.fromEntries(entries)),
  ),
}))
