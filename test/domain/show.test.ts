import { expect, test } from 'vitest'
import { showValue } from '../../src/domain/show.js'
import { withThrowingGetter } from '../support/getters.js'

test.each([
  ['a "quoted" text', '"a \\"quoted\\" text"'],
  ['', '""'],
  ['x'.repeat(60), `"${'x'.repeat(60)}"`],
  ['x'.repeat(61), `"${'x'.repeat(60)}…"`],
  [7, '7'],
  [-0, '0'],
  [1n, '1'],
  [Number.NaN, 'NaN'],
  [null, 'null'],
  [undefined, 'undefined'],
  [true, 'true'],
  [Symbol('x'), 'Symbol(x)'],
  [[1, 2], 'an array'],
  [{ a: 1 }, 'an object'],
  [() => 'secret', 'a function'],
])('%o is shown as %s', (value, shown) => {
  expect(showValue(value)).toBe(shown)
})

test('nothing of an object is run to show it', () => {
  const hostile = withThrowingGetter('toString', new Error('was read'))
  expect(showValue(hostile)).toBe('an object')
})
