import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fuzz } from './harness.js'
import type { Target } from './target.js'

const LARGEST = 50

/** A target that fails for large numbers; it notes how often it was closed. */
const targetOf = (check: (number: number) => void) => {
  const seen: number[] = []
  const target: Target & { closed: number } = {
    name: 'numbers',
    closed: 0,
    open: async () => ({
      property: fc.asyncProperty(fc.nat(), async (number) => {
        seen.push(number)
        check(number)
      }),
      close: async () => {
        target.closed += 1
      },
    }),
  }
  return { target, seen }
}

const failing = () =>
  targetOf((number) => {
    if (number > LARGEST) throw new Error(`${number} is too large`)
  })

describe('a target that holds', () => {
  test('is tried until its time is over, and closed', async () => {
    const { target, seen } = targetOf(() => {})
    const report = await fuzz(target, { seed: 1, timeMs: 50 })
    expect(report).toMatchObject({ target: 'numbers' })
    // The one that was under way when the time was over may not count.
    expect([seen.length, seen.length - 1]).toContain(report.runs)
    expect([seen.length > 10, target.closed]).toEqual([true, 1])
  })

  test('is tried on the same examples with the same seed, and on others with another', async () => {
    const [one, same, other] = [targetOf(() => {}), targetOf(() => {}), targetOf(() => {})]
    await fuzz(one.target, { seed: 1, timeMs: 30 })
    await fuzz(same.target, { seed: 1, timeMs: 30 })
    await fuzz(other.target, { seed: 2, timeMs: 30 })
    expect(same.seen.slice(0, 10)).toEqual(one.seen.slice(0, 10))
    expect(other.seen.slice(0, 10)).not.toEqual(one.seen.slice(0, 10))
  })
})

describe('a target that fails', () => {
  test('is shrunk, closed, and says how to see it again', async () => {
    const { target } = failing()
    const { failure } = await fuzz(target, { seed: 7, timeMs: 5_000 })
    expect(failure).toEqual({
      example: `[${LARGEST + 1}]`,
      error: expect.stringContaining(`${LARGEST + 1} is too large`),
      command: expect.stringMatching(/^npm run fuzz -- --only numbers --seed 7 --path [\d:]+$/),
    })
    expect(target.closed).toBe(1)
  })

  test('fails again by what it said, at once', async () => {
    const first = await fuzz(failing().target, { seed: 7, timeMs: 5_000 })
    const path = first.failure?.command.split(' ').at(-1)
    const { target, seen } = failing()
    const again = await fuzz(target, { seed: 7, timeMs: 5_000, path: path as string })
    expect(again.failure?.example).toBe(first.failure?.example)
    expect(seen[0]).toBe(LARGEST + 1)
  })

  test('is told also when it does not fail a second time', async () => {
    let isFirst = true
    const { target } = targetOf(() => {
      if (!isFirst) return
      isFirst = false
      throw new Error('once')
    })
    const { failure } = await fuzz(target, { seed: 1, timeMs: 5_000 })
    expect(failure).toMatchObject({ error: expect.stringContaining('once') })
  })
})
