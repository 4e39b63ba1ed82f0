import { expect, test } from 'vitest'
import type { ReplyFrame } from '../../src/domain/frame.js'
import { withThrowingGetter } from '../support/getters.js'
import { bootingMachine, type Machine, type MachineOptions, runningMachine, tools } from '../support/machine.js'

const context = { signal: new AbortController().signal }
const repliesOf = (machine: Machine): ReplyFrame[] =>
  machine.sent.filter((frame): frame is ReplyFrame => frame.type === 'reply')

const withTools = (options: MachineOptions = {}): Machine & { hostCalls: unknown[][] } => {
  const { namespace, calls } = tools('echo', '__proto__')
  return Object.assign(runningMachine({ ...options, namespaces: [namespace] }), { hostCalls: calls })
}

test('a call is a call of the host function, with the argument and the context', () => {
  const machine = withTools()
  const effects = machine.call(0, 'echo', { city: 'Oslo' })
  expect(effects.map(({ type }) => type)).toEqual(['emit', 'call'])
  const [call] = machine.of('call')
  expect(call!.id).toBe(0)
  expect(call!.invoke(context)).toEqual({ city: 'Oslo' })
  expect(machine.hostCalls).toEqual([['echo', { city: 'Oslo' }, context]])
})

test('a member named __proto__ is a member', () => {
  const machine = withTools()
  machine.call(0, '__proto__')
  expect(machine.of('call')).toHaveLength(1)
})

test('an answer is a reply', () => {
  const machine = withTools()
  machine.call(0)
  machine.answer(0, { celsius: 4 })
  expect(repliesOf(machine)).toEqual([{ type: 'reply', id: 0, ok: true, value: { celsius: 4 } }])
})

test('a rejection is a reply with its text', () => {
  const machine = withTools()
  machine.call(0)
  machine.step({ type: 'answered', id: 0, answer: { ok: false, thrown: new Error('denied') } })
  expect(repliesOf(machine)).toEqual([{ type: 'reply', id: 0, ok: false, message: 'denied' }])
})

test('replies may overtake each other', () => {
  const machine = withTools()
  machine.call(0)
  machine.call(1)
  machine.answer(1, 'second')
  machine.step({ type: 'sent' })
  machine.answer(0, 'first')
  expect(repliesOf(machine).map(({ id }) => id)).toEqual([1, 0])
})

test.each([
  ['an unknown member', { global: 'tools', name: 'nope' }],
  ['an unknown namespace', { global: 'nope', name: 'echo' }],
  ['a member that every object inherits', { global: 'tools', name: 'toString' }],
])('%s is answered as unknown, and takes its id', (_what, { global, name }) => {
  const machine = withTools()
  machine.frame({ type: 'call', id: 0, global, name, args: {} })
  expect(machine.of('call')).toEqual([])
  expect(repliesOf(machine)).toEqual([
    { type: 'reply', id: 0, ok: false, message: `unknown binding ${global}.${name}` },
  ])
  machine.step({ type: 'sent' })
  machine.call(1)
  expect(machine.of('call').map(({ id }) => id)).toEqual([1])
})

test.each([
  [1_024, 1_024],
  [1_025, 1_024],
  [100_000, 1_024],
])('of an unknown name of %i characters %i are told and kept', (length, kept) => {
  const machine = withTools()
  machine.frame({ type: 'call', id: 0, global: 'g'.repeat(length), name: 'n'.repeat(length), args: {} })
  const message = `unknown binding ${'g'.repeat(kept)}.${'n'.repeat(kept)}`
  expect(repliesOf(machine)).toEqual([{ type: 'reply', id: 0, ok: false, message }])
  machine.end('abort', 'enough')
  machine.gone()
  expect(machine.result.calls).toMatchObject([{ global: 'g'.repeat(kept), name: 'n'.repeat(kept) }])
})

// --- ids ---

test.each([1, 2, -1, 0.5, 1e300])('a first call with id %d is dropped', (id) => {
  const machine = withTools()
  expect(machine.call(id)).toEqual([])
  machine.call(0)
  expect(machine.of('call').map((call) => call.id)).toEqual([0])
})

test('an id is dispatched once', () => {
  const machine = withTools()
  machine.call(0)
  expect(machine.call(0)).toEqual([])
  machine.answer(0)
  expect(machine.call(0)).toEqual([])
})

test('2,000 calls with descending ids leave only the real one', () => {
  const machine = withTools()
  for (let id = 2_000; id > 0; id -= 1) machine.call(id)
  machine.call(0)
  expect(machine.of('call').map(({ id }) => id)).toEqual([0])
  machine.end('abort', 'enough')
  machine.gone()
  expect(machine.result.calls).toHaveLength(1)
})

test('no call is taken before the program runs', () => {
  const machine = bootingMachine({ namespaces: [tools('echo').namespace] })
  expect(machine.call(0)).toEqual([])
  machine.frame({ type: 'boot-ack' })
  machine.call(0)
  expect(machine.of('call')).toHaveLength(1)
})

// --- pacing ---

test('the next reply is encoded when the channel took the last one', () => {
  const machine = withTools()
  const ids = [0, 1, 2]
  for (const id of ids) machine.call(id)
  for (const id of ids) machine.answer(id, { toString: id })
  expect(repliesOf(machine).map(({ id }) => id)).toEqual([0])
  machine.step({ type: 'sent' })
  expect(repliesOf(machine).map(({ id }) => id)).toEqual([0, 1])
  machine.step({ type: 'sent' })
  machine.step({ type: 'sent' })
  expect(repliesOf(machine).map(({ id }) => id)).toEqual(ids)
})

test('a queued reply that the run no longer needs is never encoded', () => {
  const machine = withTools()
  machine.call(0)
  machine.call(1)
  machine.answer(0)
  machine.answer(1, withThrowingGetter('value', new Error('was read')))
  machine.end('abort', 'enough')
  expect(machine.step({ type: 'sent' })).toEqual([])
  machine.gone()
  expect(machine.result.calls[1]).toMatchObject({ id: 1, replyBytes: null })
})

test('an answer after the decision is dropped before its value is walked', () => {
  const machine = withTools()
  machine.call(0)
  machine.end('timeout', 'too long')
  expect(machine.answer(0, withThrowingGetter('value', new Error('was read')))).toEqual([])
  const late = { ok: false, thrown: withThrowingGetter('message', new Error('was read')) } as const
  expect(machine.step({ type: 'answered', id: 0, answer: late })).toEqual([])
})

test('a call after the decision is dropped', () => {
  const machine = withTools()
  machine.frame({ type: 'done' })
  expect(machine.call(0)).toEqual([])
})

test('a resolution that cannot cross rejects the call and ends nothing', () => {
  const machine = withTools()
  machine.call(0)
  machine.answer(0, withThrowingGetter('rows', new Error('from the getter')))
  expect(repliesOf(machine)).toEqual([
    { type: 'reply', id: 0, ok: false, message: expect.stringContaining('lossless JSON') },
  ])
  expect(machine.isDecided).toBe(false)
})

// --- the budget of calls ---

test('the call over maxBindingCalls ends the run as timeout, and the budget is named', () => {
  const machine = withTools({ maxBindingCalls: 2 })
  machine.call(0)
  machine.call(1)
  expect(machine.isDecided).toBe(false)
  machine.call(2)
  expect(machine.of('call').map(({ id }) => id)).toEqual([0, 1])
  expect(machine.of('stop')).toEqual([{ type: 'stop', reason: 'timeout' }])
  machine.gone()
  expect(machine.result.error).toEqual({
    kind: 'timeout',
    message: 'the run made more than 2 binding calls (maxBindingCalls)',
  })
  expect(machine.result.usage.bindingCalls).toBe(2)
})

test('a call that is dropped consumes nothing of the budget, one of an unknown name does', () => {
  const machine = withTools({ maxBindingCalls: 1 })
  machine.call(7)
  expect(machine.isDecided).toBe(false)
  machine.call(0, 'nope')
  expect(machine.isDecided).toBe(false)
  machine.call(1)
  expect(machine.isDecided).toBe(true)
})
