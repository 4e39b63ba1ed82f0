import { expect, test } from 'vitest'
import type { FailureKind } from '../../src/domain/outcome.js'
import type { RunInput } from '../../src/domain/run-events.js'
import { bootingMachine, COST, Machine, runningMachine, tools } from '../support/machine.js'

const stateOf = (state: string) => ({ type: 'emit', event: { type: 'state', state } })
const doneWith = (value: unknown) => ({ type: 'done', value })

// --- boot and run ---

test('a launched guest gets the boot frame with its limits and namespaces', () => {
  const errorClass = { name: 'ToolError', memberNameProperty: 'toolName' }
  const namespaces = [
    { ...tools('a', '__proto__').namespace, errorClass },
    { global: 'empty', functions: new Map() },
  ]
  const machine = new Machine({ namespaces, maxLogBytes: 64, maxValueBytes: 1, cpuSeconds: 2, addressSpaceBytes: 3 })
  machine.step({ type: 'launched', program: 'return 1' })
  expect(machine.sent).toEqual([
    {
      type: 'boot',
      maxLogBytes: 64,
      maxValueBytes: 1,
      cpuSeconds: 2,
      addressSpaceBytes: 3,
      namespaces: [
        { global: 'tools', names: ['a', '__proto__'], errorClass },
        { global: 'empty', names: [] },
      ],
    },
  ])
})

test('limits of another isolation are not in the boot frame', () => {
  expect(Object.keys(bootingMachine().sent[0]!).toSorted()).toEqual([
    'maxLogBytes',
    'maxValueBytes',
    'namespaces',
    'type',
  ])
})

test('the program goes out after the acknowledgement, once', () => {
  const machine = bootingMachine()
  expect(machine.sent.map(({ type }) => type)).toEqual(['boot'])
  machine.frame({ type: 'boot-ack' })
  expect(machine.sent.slice(1)).toEqual([{ type: 'run', program: 'return 1' }])
  machine.step({ type: 'sent' })
  expect(machine.frame({ type: 'boot-ack' })).toEqual([])
})

test('an acknowledgement that comes before the channel took the boot frame does not put two frames on their way', () => {
  const machine = new Machine()
  machine.step({ type: 'launched', program: 'return 1' })
  machine.frame({ type: 'boot-ack' })
  expect(machine.sent.map(({ type }) => type)).toEqual(['boot'])
  machine.step({ type: 'sent' })
  expect(machine.sent.map(({ type }) => type)).toEqual(['boot', 'run'])
})

test('an acknowledgement before the boot frame is none', () => {
  const machine = new Machine()
  machine.frame({ type: 'boot-ack' })
  machine.step({ type: 'launched', program: 'return 1' })
  machine.step({ type: 'sent' })
  expect(machine.sent.map(({ type }) => type)).toEqual(['boot'])
  expect(machine.states.at(-1)).toBe('starting')
})

test('a second launch is ignored', () => {
  expect(bootingMachine().step({ type: 'launched', program: 'other' })).toEqual([])
})

test('a run goes through its states in order', () => {
  const machine = new Machine()
  machine.step({ type: 'accepted' })
  machine.step({ type: 'launched', program: 'return 1' })
  machine.step({ type: 'sent' })
  machine.frame({ type: 'boot-ack' })
  machine.step({ type: 'sent' })
  machine.frame(doneWith(1))
  machine.gone()
  expect(machine.states).toEqual(['waiting', 'starting', 'running', 'settling', 'done'])
})

// --- completion ---

test('a completion stops the guest, and the result waits until it is gone', () => {
  const machine = runningMachine()
  expect(machine.frame(doneWith({ a: 1 }))).toEqual([stateOf('settling'), { type: 'stop', reason: 'completed' }])
  expect(machine.gone().map(({ type }) => type)).toEqual(['emit', 'finish'])
  expect(machine.result).toMatchObject({ value: { a: 1 }, logs: [], calls: [] })
  expect(machine.result).not.toHaveProperty('error')
})

test('a done without value or error completes without a value key', () => {
  const machine = runningMachine()
  machine.frame({ type: 'done' })
  machine.gone()
  expect(machine.result).not.toHaveProperty('value')
  expect(machine.result).not.toHaveProperty('error')
})

test('null is a value', () => {
  const machine = runningMachine()
  machine.frame(doneWith(null))
  machine.gone()
  expect(machine.result).toHaveProperty('value', null)
})

test('of a forged value and error the error counts', () => {
  const machine = runningMachine()
  machine.frame({ type: 'done', value: 1, error: { kind: 'exception', message: 'boom' } })
  machine.gone()
  expect(machine.result).toMatchObject({ error: { kind: 'exception', message: 'boom' } })
  expect(machine.result).not.toHaveProperty('value')
})

test('a completion over the budget is output-limit, exactly at it is a value', () => {
  for (const [text, kind] of [
    ['x'.repeat(62), undefined],
    ['x'.repeat(63), 'output-limit'],
  ] as const) {
    const machine = runningMachine({ maxValueBytes: 64 })
    machine.frame(doneWith(text))
    machine.gone()
    expect(machine.result.error?.kind).toBe(kind)
    expect('value' in machine.result).toBe(kind === undefined)
  }
})

test('a forged number that is not lossless is invalid output', () => {
  const machine = runningMachine()
  machine.frame('{"type":"done","value":1e400}')
  expect(machine.of('stop')).toEqual([{ type: 'stop', reason: 'invalid-output' }])
})

test('a guest that fails to boot tells why; it cannot complete before it runs', () => {
  const machine = bootingMachine()
  expect(machine.frame(doneWith(1))).toEqual([])
  machine.frame({ type: 'done', error: { kind: 'exception', message: 'budget too large for the inherited limit' } })
  machine.gone()
  expect(machine.result.error).toEqual({
    kind: 'exception',
    message: 'budget too large for the inherited limit',
  })
})

test.each([
  '',
  'AAAA',
  '{',
  '[]',
  'null',
  '"done"',
  '{"type":"done","value":9007199254740993}',
  '{"type":"done","error":1}',
])('the line %j changes nothing', (text) => {
  const machine = runningMachine()
  expect(machine.frame(text)).toEqual([])
  machine.frame(doneWith('fine'))
  machine.gone()
  expect(machine.result).toMatchObject({ value: 'fine', logs: [] })
})

// --- the first decision wins ---

const ENDS: readonly [string, RunInput][] = [
  ['done', { type: 'frame', text: '{"type":"done","value":"late"}', bytes: 30 }],
  ['an abort', { type: 'ended', kind: 'abort', message: 'late' }],
  ['a budget', { type: 'ended', kind: 'timeout', message: 'late' }],
  ['a failed write', { type: 'send-failed', message: 'late' }],
]

test.each(ENDS)('%s after the decision changes nothing', (_what, late) => {
  const machine = runningMachine()
  machine.frame(doneWith('first'))
  expect(machine.step(late)).toEqual([])
  machine.gone()
  expect(machine.result).toMatchObject({ value: 'first' })
})

test.each(ENDS)('%s after the end of the run does nothing', (_what, late) => {
  const machine = runningMachine()
  machine.end('abort', 'first')
  machine.gone()
  expect(machine.step(late)).toEqual([])
  expect(machine.gone()).toEqual([])
  expect(machine.step({ type: 'stop-overdue', usage: COST })).toEqual([])
  expect(machine.stray('late')).toEqual([])
})

test.each<FailureKind>(['timeout', 'abort', 'worker-exit'])('%s ends a run with its message', (kind) => {
  for (const machine of [bootingMachine(), runningMachine()]) {
    expect(machine.end(kind, 'why')).toEqual([stateOf('settling'), { type: 'stop', reason: kind }])
    machine.gone()
    expect(machine.result.error).toEqual({ kind, message: 'why' })
    expect(machine.result).not.toHaveProperty('value')
  }
})

test.each<FailureKind>(['timeout', 'abort', 'worker-exit', 'exception'])(
  '%s before there is a guest finishes at once',
  (kind) => {
    const machine = new Machine()
    machine.end(kind, 'why')
    expect(machine.of('stop')).toEqual([])
    expect(machine.of('send')).toEqual([])
    expect(machine.result).toMatchObject({ error: { kind, message: 'why' }, logs: [], calls: [] })
    expect(machine.step({ type: 'launched', program: 'late' })).toEqual([])
  },
)

test.each([
  [{ type: 'exited', code: 7 } as const, 'the guest exited with code 7 before completing'],
  [{ type: 'killed', signal: 'SIGKILL' } as const, 'the guest was killed by SIGKILL before completing'],
])('a guest that goes by itself is worker-exit: %o', (exit, message) => {
  for (const machine of [bootingMachine(), runningMachine()]) {
    machine.gone(exit)
    expect(machine.result.error).toEqual({ kind: 'worker-exit', message })
  }
})

test('a guest that goes before it was sent anything finishes the run once', () => {
  const machine = new Machine()
  machine.gone({ type: 'failed-to-start', message: 'spawn error' })
  expect(machine.result.error).toEqual({ kind: 'worker-exit', message: 'the guest failed to start: spawn error' })
  expect(machine.states.filter((state) => state === 'done')).toHaveLength(1)
  expect(machine.result.usage).toMatchObject(COST)
})

test('what a crashed guest says is a diagnostic under the cap', () => {
  const machine = runningMachine({ maxValueBytes: 100 })
  machine.gone({ type: 'crashed', message: 'x'.repeat(5_000) })
  expect(machine.result.error?.message).toMatch(/^the guest crashed before completing: x+… \[truncated\]$/)
  expect(Buffer.byteLength(machine.result.error!.message)).toBe(100)
})

test('a done just before the exit counts', () => {
  const machine = runningMachine()
  machine.frame(doneWith('fine'))
  machine.gone({ type: 'killed', signal: 'SIGKILL' })
  expect(machine.result).toMatchObject({ value: 'fine' })
  expect(machine.result).not.toHaveProperty('error')
})

test('a stopped guest that does not go is not waited for', () => {
  const machine = runningMachine()
  machine.end('timeout', 'too long')
  machine.step({ type: 'stop-overdue', usage: COST })
  expect(machine.result).toMatchObject({ error: { kind: 'timeout', message: 'too long' }, usage: COST })
  expect(machine.gone()).toEqual([])
})

test('a guest that cannot be booted ends the run', () => {
  const machine = new Machine()
  machine.step({ type: 'launched', program: 'return 1' })
  machine.step({ type: 'send-failed', message: 'EPIPE' })
  machine.gone()
  expect(machine.result.error).toEqual({ kind: 'worker-exit', message: 'the guest failed to boot: EPIPE' })
})

test('a guest that does not take its program failed to boot', () => {
  const machine = bootingMachine()
  machine.frame({ type: 'boot-ack' })
  machine.step({ type: 'send-failed', message: 'EPIPE' })
  expect(machine.of('stop')).toEqual([{ type: 'stop', reason: 'worker-exit' }])
  machine.gone()
  expect(machine.result.error).toEqual({ kind: 'worker-exit', message: 'the guest failed to boot: EPIPE' })
})

test('a guest that takes no reply ends the run', () => {
  const machine = runningMachine()
  machine.call(0)
  machine.answer(0)
  machine.step({ type: 'send-failed', message: 'EPIPE' })
  machine.gone()
  expect(machine.result.error).toEqual({ kind: 'worker-exit', message: 'the guest cannot be written to: EPIPE' })
})

// --- logs ---

test('log frames and raw output are entries, in the order of their streams', () => {
  const machine = runningMachine()
  machine.frame({ type: 'log', text: 'a\nb', stream: 'stdout' })
  machine.frame({ type: 'log', text: 'error', stream: 'stderr' })
  machine.stray('raw ')
  machine.frame({ type: 'log', text: 'no stream' })
  machine.stray('line\nrest')
  machine.frame(doneWith(1))
  machine.gone()
  expect(machine.result.logs).toEqual(['a', 'b', 'error', 'no stream', 'raw line', 'rest'])
})

test.each([
  ['a crash', (machine: Machine) => machine.gone({ type: 'exited', code: 7 })],
  ['a timeout', (machine: Machine) => [...machine.end('timeout', 'too long'), ...machine.gone()]],
  ['an abort', (machine: Machine) => [...machine.end('abort', 'enough'), ...machine.gone()]],
])('what was printed before %s is there', (_what, end) => {
  const machine = runningMachine()
  machine.frame({ type: 'log', text: 'before', open: true })
  machine.stray('raw')
  end(machine)
  expect(machine.result.logs).toEqual(['before', 'raw'])
})

test('after the decision log frames are dropped, and raw output that was on its way is kept', () => {
  const machine = runningMachine()
  machine.frame(doneWith(1))
  machine.frame({ type: 'log', text: 'late' })
  machine.stray('on its way\n')
  machine.gone()
  expect(machine.result.logs).toEqual(['on its way'])
})

test("the guest's own marker is replaced by the host's, last and once", () => {
  const machine = runningMachine({ maxLogBytes: 4_096 })
  machine.frame({ type: 'log', text: 'forged', truncated: 'yes' })
  machine.frame({ type: 'log', text: 'forged too', truncated: true })
  machine.frame({ type: 'log', text: 'forged again', truncated: true })
  machine.frame({ type: 'log', text: 'late' })
  machine.stray('late\n')
  machine.frame(doneWith(1))
  machine.gone()
  expect(machine.result.logs).toEqual(['forged', '[code-runtime] log capture truncated at 4096 bytes'])
})

test('logs over their budget cause no failure', () => {
  const machine = runningMachine({ maxLogBytes: 64 })
  machine.frame({ type: 'log', text: 'x'.repeat(100) })
  machine.frame(doneWith(1))
  machine.gone()
  expect(machine.result).toMatchObject({ value: 1, logs: ['[code-runtime] log capture truncated at 64 bytes'] })
})
