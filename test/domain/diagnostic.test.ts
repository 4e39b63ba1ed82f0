import fc from 'fast-check'
import { expect, test } from 'vitest'
import { capDiagnostic, TRUNCATED_SUFFIX } from '../../src/domain/diagnostic.js'
import { holds } from '../support/property.js'

const innerBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2

test('the suffix takes 15 bytes', () => {
  expect(TRUNCATED_SUFFIX).toBe('… [truncated]')
  expect(innerBytes(TRUNCATED_SUFFIX)).toBe(15)
})

test.each([
  ['at the cap', 'x'.repeat(64), 64, 'x'.repeat(64)],
  ['one byte over it', 'x'.repeat(65), 64, 'x'.repeat(49) + TRUNCATED_SUFFIX],
  ['far over it', 'x'.repeat(100_000), 40, 'x'.repeat(25) + TRUNCATED_SUFFIX],
  ['below a cap of 15', 'x'.repeat(4), 4, 'xxxx'],
  ['over a cap of 4', 'x'.repeat(5), 4, TRUNCATED_SUFFIX],
  ['over a cap of 14', 'x'.repeat(15), 14, TRUNCATED_SUFFIX],
  ['over a cap of 15', 'x'.repeat(16), 15, TRUNCATED_SUFFIX],
  ['over a cap of 16', 'x'.repeat(17), 16, `x${TRUNCATED_SUFFIX}`],
  ['of 18 bytes under 64', '€'.repeat(6), 64, '€'.repeat(6)],
  ['of NULs, billed as they are escaped', '\0'.repeat(11), 64, '\0'.repeat(8) + TRUNCATED_SUFFIX],
  ['cut inside a pair, at the code point before', `${'x'.repeat(48)}😀😀😀😀😀`, 64, 'x'.repeat(48) + TRUNCATED_SUFFIX],
  ['cut after a pair', `${'x'.repeat(45)}😀😀😀😀😀`, 64, `${'x'.repeat(45)}😀${TRUNCATED_SUFFIX}`],
  ['of one lone surrogate', '\ud83d', 6, '\ud83d'],
])('a diagnostic %s', (_where, text, maxBytes, capped) => {
  expect(capDiagnostic(text, maxBytes)).toBe(capped)
})

test('a capped diagnostic fits the cap, and is the text or a prefix of it with the suffix', () => {
  holds(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), fc.integer({ min: 15, max: 100 }), (text, maxBytes) => {
      const capped = capDiagnostic(text, maxBytes)
      expect(innerBytes(capped)).toBeLessThanOrEqual(maxBytes)
      if (capped === text) return
      expect(innerBytes(text)).toBeGreaterThan(maxBytes)
      expect(capped.endsWith(TRUNCATED_SUFFIX)).toBe(true)
      expect(text.startsWith(capped.slice(0, -TRUNCATED_SUFFIX.length))).toBe(true)
    }),
  )
})

test('512 KiB of NULs are cut to the cap by their escaped size', () => {
  const capped = capDiagnostic('\0'.repeat(524_288), 4_096)
  expect(capped.endsWith(TRUNCATED_SUFFIX)).toBe(true)
  expect(innerBytes(capped)).toBeGreaterThan(4_096 - 6)
  expect(innerBytes(capped)).toBeLessThanOrEqual(4_096)
})
