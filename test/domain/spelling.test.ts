import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearestFirst } from '../../src/domain/spelling.js'
import { holds } from '../support/property.js'

test.each([
  ['wether', ['search', 'weather', 'news'], 'weather'],
  ['getWeather', ['set_weather', 'get_weather'], 'get_weather'],
  ['GET-WEATHER', ['weather', 'get_weather'], 'get_weather'],
  ['serch', ['s', 'research', 'search'], 'search'],
  ['', ['long_name', 'a'], 'a'],
])('the nearest spelling to %j among %j is first: %s', (asked, names, first) => {
  expect(nearestFirst(asked, names)[0]).toBe(first)
})

test('names that are equally near keep their order', () => {
  expect(nearestFirst('x', ['b', 'a', 'c'])).toEqual(['b', 'a', 'c'])
})

test.each([
  [50, 50],
  [51, 50],
])('of %i names, %i are listed', (count, listed) => {
  const names = Array.from({ length: count }, (_, index) => `name${index}`)
  expect(nearestFirst('name', names)).toHaveLength(listed)
})

test('only the first 64 characters are compared', () => {
  const [x63, x64] = ['x'.repeat(63), 'x'.repeat(64)]
  expect(nearestFirst(`${x63}b`, [`${x63}a`, `${x63}b`])).toEqual([`${x63}b`, `${x63}a`])
  expect(nearestFirst(`${x64}b`, [`${x64}a`, `${x64}b`])).toEqual([`${x64}a`, `${x64}b`])
  expect(nearestFirst('y'.repeat(1_000_000), ['y'.repeat(1_000_000)])).toHaveLength(1)
})

test('a declared name comes before all others when it is asked for, and no name is lost', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 8 })
  holds(
    fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 20 }), fc.nat(), (names, at) => {
      const asked = names[at % names.length]!
      const listed = nearestFirst(asked, names)
      expect(listed[0]).toBe(asked)
      expect(listed.toSorted()).toEqual(names.toSorted())
    }),
  )
})
