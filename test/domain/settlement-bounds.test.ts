import { expect, test } from 'vitest'
import { type Machine, runningMachine } from '../support/machine.js'

const BACKLOG = 'call backlog exceeded 1024 outstanding binding calls'
const REPLIES = 'reply queue exceeded 1024 waiting replies'

const call = (machine: Machine, count: number): void => {
  for (let id = 0; id < count; id += 1) machine.call(id)
}
const answer = (machine: Machine, count: number): void => {
  for (let id = 0; id < count; id += 1) machine.answer(id)
}
/** Answers with the channel taking each reply at once. */
const answerAndTake = (machine: Machine, count: number): void => {
  for (let id = 0; id < count; id += 1) {
    machine.answer(id)
    machine.step({ type: 'sent' })
  }
}
const errorOf = (machine: Machine) => {
  machine.gone()
  return machine.result.error
}

test('1,024 calls that never answer are fine', () => {
  const machine = runningMachine()
  call(machine, 1_024)
  expect(machine.of('await-turn')).toEqual([])
  machine.frame({ type: 'done', value: 'fine' })
  expect(errorOf(machine)).toBeUndefined()
  expect(machine.result.value).toBe('fine')
})

test('1,025 calls that do not answer in their turn end the run', () => {
  const machine = runningMachine()
  call(machine, 1_025)
  expect(machine.of('await-turn')).toHaveLength(1)
  expect(machine.isDecided).toBe(false)
  machine.step({ type: 'turn-end' })
  expect(errorOf(machine)).toEqual({ kind: 'worker-exit', message: BACKLOG })
})

test('1,025 calls that answer in their turn are fine', () => {
  const machine = runningMachine()
  call(machine, 1_025)
  answerAndTake(machine, 1_025)
  expect(machine.step({ type: 'turn-end' })).toEqual([])
  machine.frame({ type: 'done', value: 'fine' })
  expect(errorOf(machine)).toBeUndefined()
})

test('1,024 calls and then thousands that answer one by one are fine', () => {
  const machine = runningMachine()
  call(machine, 1_023)
  for (let id = 1_023; id < 4_000; id += 1) {
    machine.call(id)
    machine.answer(id)
    machine.step({ type: 'sent' })
  }
  expect(machine.of('await-turn')).toEqual([])
})

test('a done in the same turn as the 1,025th hanging call does not save the run', () => {
  const machine = runningMachine()
  call(machine, 1_025)
  expect(machine.frame({ type: 'done', value: 'forged' })).toEqual([])
  machine.step({ type: 'turn-end' })
  expect(errorOf(machine)).toEqual({ kind: 'worker-exit', message: BACKLOG })
})

test('a done in the same turn as 1,025 calls that answer counts, and nothing after it', () => {
  const machine = runningMachine()
  call(machine, 1_025)
  machine.frame({ type: 'done', value: 'fine' })
  expect(machine.frame({ type: 'done', value: 'second' })).toEqual([])
  expect(machine.frame({ type: 'log', text: 'late' })).toEqual([])
  expect(machine.call(1_025)).toEqual([])
  answerAndTake(machine, 1_025)
  machine.step({ type: 'turn-end' })
  expect(machine.of('stop')).toEqual([{ type: 'stop', reason: 'completed' }])
  expect(errorOf(machine)).toBeUndefined()
  expect(machine.result).toMatchObject({ value: 'fine', logs: [] })
})

test.each([
  ['the calls answered', true, undefined],
  ['they hang', false, { kind: 'worker-exit', message: BACKLOG }],
])('a done that waits for the end of its turn is decided when the guest goes first: %s', (_what, answers, error) => {
  const machine = runningMachine()
  call(machine, 1_025)
  machine.frame({ type: 'done', value: 'fine' })
  if (answers) answerAndTake(machine, 1_025)
  expect(errorOf(machine)).toEqual(error)
})

test('an abort while a done waits is the decision', () => {
  const machine = runningMachine()
  call(machine, 1_025)
  machine.frame({ type: 'done', value: 'fine' })
  machine.end('abort', 'enough')
  answerAndTake(machine, 1_025)
  machine.step({ type: 'turn-end' })
  expect(errorOf(machine)).toEqual({ kind: 'abort', message: 'enough' })
})

test('1,024 waiting replies are fine', () => {
  const machine = runningMachine()
  call(machine, 1_024)
  answer(machine, 1_024)
  machine.call(1_024)
  machine.answer(1_024)
  expect(machine.of('await-turn')).toEqual([])
})

test('1,025 waiting replies end the run at the end of the turn', () => {
  const machine = runningMachine()
  call(machine, 1_024)
  answer(machine, 1_024)
  for (const id of [1_024, 1_025]) {
    machine.call(id)
    machine.answer(id)
  }
  expect(machine.of('await-turn')).toHaveLength(1)
  machine.step({ type: 'turn-end' })
  expect(errorOf(machine)).toEqual({ kind: 'worker-exit', message: REPLIES })
})

test('1,025 waiting replies of which the channel takes one in the turn are fine', () => {
  const machine = runningMachine()
  call(machine, 1_024)
  answer(machine, 1_024)
  for (const id of [1_024, 1_025]) {
    machine.call(id)
    machine.answer(id)
  }
  machine.step({ type: 'sent' })
  expect(machine.step({ type: 'turn-end' })).toEqual([])
  expect(machine.isDecided).toBe(false)
})

test('5,000 calls of a guest that reads no replies end the run', () => {
  const machine = runningMachine()
  for (let id = 0; id < 5_000; id += 1) machine.call(id, 'nope')
  expect(machine.of('await-turn')).toHaveLength(1)
  machine.step({ type: 'turn-end' })
  expect(errorOf(machine)).toEqual({ kind: 'worker-exit', message: REPLIES })
})

test('1,524 calls over a slow channel all get their replies, in order', () => {
  const machine = runningMachine()
  call(machine, 1_024)
  answer(machine, 1_024)
  for (let id = 1_024; id < 1_524; id += 1) {
    machine.step({ type: 'sent' })
    machine.call(id)
    machine.answer(id)
  }
  for (let taken = 0; taken < 1_024; taken += 1) machine.step({ type: 'sent' })
  const ids = machine.sent.flatMap((frame) => (frame.type === 'reply' ? [frame.id] : []))
  expect(ids).toEqual(Array.from({ length: 1_524 }, (_, id) => id))
  expect(machine.isDecided).toBe(false)
})

test('a bound that was exceeded and kept is watched again in a later turn', () => {
  const machine = runningMachine()
  call(machine, 1_025)
  answerAndTake(machine, 1_025)
  machine.step({ type: 'turn-end' })
  for (let id = 1_025; id < 2_050; id += 1) machine.call(id)
  expect(machine.of('await-turn')).toHaveLength(2)
  machine.step({ type: 'turn-end' })
  expect(errorOf(machine)).toEqual({ kind: 'worker-exit', message: BACKLOG })
})
