import { expect, test } from 'vitest'
import { thrownText, UNREADABLE } from '../../src/domain/text.js'
import { withGetters, withThrowingGetter } from '../support/getters.js'

const cyclic = (): unknown => {
  const message: Record<string, unknown> = { toString: null, valueOf: null }
  message['self'] = message
  return Object.assign(new Error('x'), { message })
}

test.each([
  ['an error', new Error('boom'), 'boom'],
  ['an error without a message', new Error(), ''],
  ['a string', 'bare', 'bare'],
  ['an empty string', '', ''],
  ['undefined', undefined, 'undefined'],
  ['null', null, 'null'],
  ['a number', 7, '7'],
  ['a symbol', Symbol('x'), 'Symbol(x)'],
  ['an object with a message', { message: 'told' }, 'told'],
  ['an object with a message that is no string', { message: 42 }, '42'],
  ['an object without a message', { toString: () => 'rendered' }, 'rendered'],
  ['an abort reason', AbortSignal.abort().reason, 'This operation was aborted'],
])('the text of %s', (_what, thrown, text) => {
  expect(thrownText(thrown)).toBe(text)
})

test.each([
  ['a getter that throws', withThrowingGetter('message', new Error('from the getter'))],
  [
    'a conversion that throws',
    {
      toString: () => {
        throw new Error('from toString')
      },
    },
  ],
  ['no conversion at all', Object.create(null)],
  ['a message that is cyclic and cannot be converted', cyclic()],
  [
    'a proxy that throws at every touch',
    new Proxy(
      {},
      {
        has: () => {
          throw new Error('from has')
        },
      },
    ),
  ],
  ['a revoked proxy', revoked()],
])('what has %s is a fixed placeholder', (_what, thrown) => {
  expect(thrownText(thrown)).toBe(UNREADABLE)
})

test('a message is read once', () => {
  const { object, reads } = withGetters({ message: 'told' })
  expect(thrownText(object)).toBe('told')
  expect(reads).toEqual(['message'])
})

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
