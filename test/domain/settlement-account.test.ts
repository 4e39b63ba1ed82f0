import { expect, test } from 'vitest'
import type { RunEvent } from '../../src/domain/outcome.js'
import { bootingMachine, COST, Machine, runningMachine } from '../support/machine.js'

const log = (text: string, more: object = {}): RunEvent => ({ type: 'log', stream: 'stdout', text, ...more })
const afterBoot = (machine: Machine): RunEvent[] =>
  machine.events.slice(machine.events.findIndex((event) => event.type === 'state' && event.state === 'running') + 1)

test('calls tell in order what was asked, when, and what came of it', () => {
  const machine = runningMachine()
  machine.nowMs = 5
  machine.call(0, 'echo', { city: 'Oslo' })
  machine.nowMs = 7
  machine.call(1, 'nope', 'é')
  machine.step({ type: 'sent' })
  machine.call(2, 'echo', [])
  machine.nowMs = 15
  machine.step({ type: 'answered', id: 2, answer: { ok: false, thrown: 'no' } })
  machine.step({ type: 'sent' })
  machine.nowMs = 20
  machine.answer(0, 'Bergen')
  machine.frame({ type: 'done' })
  machine.gone()
  const error = 'unknown binding tools.nope'
  expect(machine.result.calls).toStrictEqual([
    {
      id: 0,
      global: 'tools',
      name: 'echo',
      state: 'succeeded',
      startMs: 5,
      durationMs: 15,
      argsBytes: 15,
      replyBytes: 8,
    },
    {
      id: 1,
      global: 'tools',
      name: 'nope',
      state: 'failed',
      startMs: 7,
      durationMs: 0,
      argsBytes: 4,
      replyBytes: 28,
      error,
    },
    {
      id: 2,
      global: 'tools',
      name: 'echo',
      state: 'failed',
      startMs: 7,
      durationMs: 8,
      argsBytes: 2,
      replyBytes: 4,
      error: 'no',
    },
  ])
})

test('a call that runs when the run fails is still running in the account', () => {
  const machine = runningMachine()
  machine.call(0)
  machine.call(1)
  machine.answer(1)
  machine.end('timeout', 'too long')
  machine.gone()
  expect(machine.result.calls).toMatchObject([
    { id: 0, state: 'running', durationMs: null, replyBytes: null },
    { id: 1, state: 'succeeded' },
  ])
})

test('a call lasts until its binding answered, however long the reply waits for the channel', () => {
  const machine = runningMachine()
  machine.call(0)
  machine.call(1)
  machine.answer(0)
  machine.nowMs = 10
  machine.answer(1)
  machine.nowMs = 90
  machine.step({ type: 'sent' })
  machine.frame({ type: 'done' })
  machine.gone()
  expect(machine.result.calls[1]).toMatchObject({ state: 'succeeded', durationMs: 10 })
})

test('usage is what the guest measured, the wall time from the start, and the frames of both directions', () => {
  const machine = new Machine()
  machine.nowMs = 30
  machine.step({ type: 'launched', program: 'é' })
  machine.step({ type: 'sent' })
  machine.frame('{"type":"boot-ack"}')
  machine.step({ type: 'sent' })
  machine.frame('not a frame')
  machine.frame('{"type":"done"}')
  machine.frame('{"type":"log","text":"late"}')
  machine.nowMs = 45
  machine.gone()
  const bytesOut = machine.of('send').reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  const bytesIn = '{"type":"boot-ack"}'.length + 'not a frame'.length + '{"type":"done"}'.length
  expect(machine.result.usage).toStrictEqual({ wallMs: 45, ...COST, bindingCalls: 0, bytesIn, bytesOut })
})

test('times count from the start of the run, whatever the clock shows', () => {
  const machine = runningMachine({ startedAtMs: 5_000 })
  machine.nowMs = 5_007
  machine.call(0)
  machine.nowMs = 5_010
  machine.answer(0)
  machine.frame({ type: 'done' })
  machine.gone()
  expect(machine.result.calls).toMatchObject([{ startMs: 7, durationMs: 3 }])
  expect(machine.result.usage.wallMs).toBe(10)
})

test('what was not measured is null, also without a guest', () => {
  const unmeasured = { cpuMs: null, peakMemoryBytes: null }
  const machine = bootingMachine()
  machine.gone({ type: 'exited', code: 1 }, unmeasured)
  expect(machine.result.usage).toMatchObject(unmeasured)
  const aborted = new Machine()
  aborted.nowMs = 3
  aborted.end('abort', 'enough')
  expect(aborted.result.usage).toStrictEqual({ wallMs: 3, ...unmeasured, bindingCalls: 0, bytesIn: 0, bytesOut: 0 })
})

test('the time of a run counts from its turn, and a run that never had one took none', () => {
  const waiting = () => {
    const machine = new Machine({ isWaiting: true })
    machine.step({ type: 'accepted' })
    machine.nowMs = 90
    return machine
  }
  const aborted = waiting()
  aborted.end('abort', 'enough')
  const served = waiting()
  served.step({ type: 'begun' })
  served.nowMs = 95
  served.end('abort', 'enough')
  expect([aborted.result.usage.wallMs, served.result.usage.wallMs]).toEqual([0, 5])
})

test('events come in the order in which things happen', () => {
  const machine = runningMachine()
  const started = { id: 0, global: 'tools', name: 'echo', startMs: 0, argsBytes: 2 }
  machine.frame({ type: 'log', text: 'a\nb', open: true })
  machine.call(0)
  machine.stray('raw\n')
  machine.answer(0, 'x')
  machine.frame({ type: 'log', text: 'c', stream: 'stderr' })
  machine.frame({ type: 'done' })
  machine.stray('rest')
  machine.gone()
  expect(afterBoot(machine)).toEqual([
    log('a'),
    log('b', { open: true }),
    { type: 'call-start', call: { ...started, state: 'running', durationMs: null, replyBytes: null } },
    log('raw'),
    { type: 'call-end', call: { ...started, state: 'succeeded', durationMs: 0, replyBytes: 3 } },
    log('c', { stream: 'stderr' }),
    { type: 'state', state: 'settling' },
    log('rest'),
    { type: 'state', state: 'done' },
  ])
})

test('the event of a failed call has its error', () => {
  const machine = runningMachine()
  machine.call(0, 'nope')
  expect(machine.events.at(-1)).toMatchObject({
    type: 'call-end',
    call: { id: 0, state: 'failed', error: 'unknown binding tools.nope' },
  })
})

test('the marker of truncation is an event too', () => {
  const machine = runningMachine({ maxLogBytes: 64 })
  machine.frame({ type: 'log', text: 'x'.repeat(61), stream: 'stderr' })
  expect(machine.events.at(-1)).toEqual(log('[code-runtime] log capture truncated at 64 bytes', { stream: 'stderr' }))
})

test('what a listener does to a record changes no other and not the result', () => {
  const machine = runningMachine()
  machine.call(0)
  for (const event of machine.events) if (event.type === 'call-start') Object.assign(event.call, { name: 'changed' })
  machine.answer(0)
  machine.frame({ type: 'done' })
  machine.gone()
  expect(machine.events.find(({ type }) => type === 'call-end')).toMatchObject({ call: { name: 'echo' } })
  expect(machine.result.calls).toMatchObject([{ name: 'echo' }])
})
