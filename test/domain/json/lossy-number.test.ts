import { describe, expect, it } from 'vitest'
import { hasLossyNumber } from '../../../src/domain/json/lossy-number.js'

describe('the search for lossy numbers', () => {
  it.each([Infinity, -Infinity, NaN, -0])('finds %s at any depth', (number) => {
    expect(hasLossyNumber(number)).toBe(true)
    expect(hasLossyNumber([1, number])).toBe(true)
    expect(hasLossyNumber({ a: [{}, { b: number }], c: 1 })).toBe(true)
    expect(hasLossyNumber([[[]], [{ a: [] }], number])).toBe(true)
  })

  it.each([0, 1, -1.5, 2 ** 60, 'Infinity', null, true, '', {}, [], [[0], { a: { b: 'x' } }]])(
    'finds none in %j',
    (value) => {
      expect(hasLossyNumber(value)).toBe(false)
    },
  )

  it('looks at own enumerable members only', () => {
    const inherited: object = Object.create({ a: NaN })
    expect(hasLossyNumber(inherited)).toBe(false)
    expect(hasLossyNumber(Object.defineProperty({}, 'a', { value: NaN }))).toBe(false)
  })

  it('looks into an own __proto__', () => {
    expect(hasLossyNumber(JSON.parse('{"__proto__":[1e400]}'))).toBe(true)
  })

  it('goes 100,000 levels deep', () => {
    const at = (number: string): unknown => JSON.parse(`${'[{"a":'.repeat(50_000)}${number}${'}]'.repeat(50_000)}`)
    expect(hasLossyNumber(at('1'))).toBe(false)
    expect(hasLossyNumber(at('-0'))).toBe(true)
  })

  it('goes two million items wide, to the last', () => {
    const value: unknown[] = new Array(2_000_000).fill(1)
    expect(hasLossyNumber(value)).toBe(false)
    value[1_999_999] = -0
    expect(hasLossyNumber(value)).toBe(true)
  })
})
