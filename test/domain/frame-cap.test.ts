import { expect, test } from 'vitest'
import { frameCapBytes } from '../../src/domain/frame-cap.js'
import { MIB } from '../../src/domain/units.js'

test.each([
  ['4 GiB', 4_096 * MIB, 64 * MIB],
  ['304 MiB', 304 * MIB, 15 * MIB],
  ['128 MiB', 128 * MIB, 4 * MIB],
  ['the smallest that the largest cap needs', 1_088 * MIB, 64 * MIB],
  ['one byte less than that', 1_088 * MIB - 1, 64 * MIB - 1],
  ['one byte more than that', 1_088 * MIB + 1, 64 * MIB],
])('a heap limit of %s caps frames', (_heap, heapLimitBytes, capBytes) => {
  expect(frameCapBytes(heapLimitBytes)).toBe(capBytes)
})
