import { expect, test } from 'vitest'
import type { GuestSink } from '../../src/ports/guest.js'
import { FakeGuest } from '../../src/testing.js'
import { codec } from '../support/codec.js'
import { DriveRun } from '../support/drive-run.js'
import { withGetters } from '../support/getters.js'
import { soon, turn } from '../support/turn.js'

const thenable = (then: PropertyDescriptor): object => Object.defineProperty({}, 'then', then)
const failure = (kind: string, message: string) => ({ error: { kind, message } })

test('a program that returns completes the run, and nothing is left behind', async () => {
  const run = new DriveRun().run()
  run.done({ a: 1 })
  expect(await run.drive.result).toMatchObject({ value: { a: 1 }, logs: [], calls: [] })
  expect(run.guest.transport.sent.map(({ type }) => type)).toEqual(['boot', 'run'])
  expect(run.guest.stopReasons).toEqual(['completed'])
  expect(run.clock.pendingTimers).toBe(0)
})

test('raw output of both streams is logged', async () => {
  const run = new DriveRun().run()
  run.guest.write('stdout', 'out\n')
  run.guest.write('stderr', 'err')
  run.done(null)
  expect((await run.drive.result).logs).toEqual(['out', 'err'])
})

// --- budgets ---

test('a run that reaches its wall time ends as timeout, and the budget is named', async () => {
  const run = new DriveRun({ maxWallMs: 500 }).run()
  run.clock.advance(499)
  expect(run.drive.isDecided).toBe(false)
  run.clock.advance(1)
  expect(run.guest.stopReasons).toEqual(['timeout'])
  const result = await run.drive.result
  expect(result).toMatchObject(failure('timeout', 'the run took longer than 500 ms of wall time (maxWallMs)'))
  expect(result.usage.wallMs).toBe(500)
  expect(run.clock.pendingTimers).toBe(0)
})

test('what arrives in the turn in which a budget ends counts', async () => {
  const run = new DriveRun().run()
  run.guest.spendBudget('spent')
  run.done('just in time')
  run.clock.endTurn()
  expect(await run.drive.result).toMatchObject({ value: 'just in time' })
})

test('the wall time is no longer watched once the run is decided', async () => {
  const guest = Object.assign(new FakeGuest(), { goesWhenStopped: false, stopWithinMs: 10_000 })
  const run = new DriveRun({ maxWallMs: 500, guest }).run()
  run.done('fine')
  expect(run.clock.pendingTimers).toBe(1)
  run.clock.advance(9_999)
  guest.exit({ type: 'exited', code: 0 })
  expect(await run.drive.result).toMatchObject({ value: 'fine' })
})

test('a budget of the backend is a timeout, another bound worker-exit', async () => {
  const spent = new DriveRun().run()
  spent.guest.spendBudget('the CPU time is exhausted')
  spent.clock.endTurn()
  expect(await spent.drive.result).toMatchObject(failure('timeout', 'the CPU time is exhausted'))
  const broken = new DriveRun().run()
  broken.guest.breakDown('out of memory')
  expect(await broken.drive.result).toMatchObject(failure('worker-exit', 'out of memory'))
})

test('a frame over the cap is worker-exit that names the cap', async () => {
  const run = new DriveRun().run()
  run.guest.transport.overflow(67_108_864)
  expect(await run.drive.result).toMatchObject(failure('worker-exit', 'a frame of the guest exceeded 67108864 bytes'))
})

// --- the end of a guest ---

test('a guest that goes by itself ends the run', async () => {
  const run = new DriveRun().run()
  run.guest.measured = { cpuMs: 5, peakMemoryBytes: 6 }
  run.guest.exit({ type: 'exited', code: 7 })
  const result = await run.drive.result
  expect(result).toMatchObject(failure('worker-exit', 'the guest exited with code 7 before completing'))
  expect(result.usage).toMatchObject({ cpuMs: 5, peakMemoryBytes: 6 })
  expect(run.clock.pendingTimers).toBe(0)
})

test('a stopped guest that does not go is awaited for its own time, and then no longer', async () => {
  const guest = Object.assign(new FakeGuest(), { goesWhenStopped: false, stopWithinMs: 1_000 })
  guest.measured = { cpuMs: 5, peakMemoryBytes: 6 }
  const run = new DriveRun({ guest }).run()
  run.drive.end('abort', 'enough')
  run.clock.advance(999)
  expect(await soon(run.drive.result)).toBe('still pending')
  run.clock.advance(1)
  const result = await run.drive.result
  expect(result).toMatchObject(failure('abort', 'enough'))
  expect(result.usage).toMatchObject({ wallMs: 1_000, cpuMs: 5, peakMemoryBytes: 6 })
  guest.exit({ type: 'exited', code: 0 })
  expect(guest.stopReasons).toEqual(['abort'])
  expect(run.clock.pendingTimers).toBe(0)
})

test('a stopped guest that goes in time settles the run when it is gone', async () => {
  const guest = Object.assign(new FakeGuest(), { goesWhenStopped: false })
  const run = new DriveRun({ guest }).run()
  run.done('fine')
  run.guest.write('stdout', 'on its way')
  expect(await soon(run.drive.result)).toBe('still pending')
  guest.exit({ type: 'killed', signal: 'SIGTERM' })
  expect(await run.drive.result).toMatchObject({ value: 'fine', logs: ['on its way'] })
  expect(run.clock.pendingTimers).toBe(0)
})

// --- the start of a guest ---

test('a run that was ended before gets no guest', async () => {
  const run = new DriveRun()
  run.drive.end('abort', 'enough')
  run.launch(() => {
    throw new Error('was launched')
  })
  expect(await run.drive.result).toMatchObject(failure('abort', 'enough'))
  expect(run.clock.pendingTimers).toBe(0)
})

test.each([
  ['an error', new Error('spawn EMFILE'), 'the guest failed to start: spawn EMFILE'],
  ['a string', 'no threads', 'the guest failed to start: no threads'],
])('a launch that throws %s is worker-exit', async (_what, thrown, message) => {
  const run = new DriveRun().launch(() => {
    throw thrown
  })
  expect(await run.drive.result).toMatchObject(failure('worker-exit', message))
  expect(run.clock.pendingTimers).toBe(0)
})

test('a guest whose run is ended while it is launched is stopped', async () => {
  const run = new DriveRun()
  run.launch(() => {
    run.drive.end('abort', 'enough')
    return run.guest
  })
  expect(await run.drive.result).toMatchObject(failure('abort', 'enough'))
  expect(run.guest.stopReasons).toEqual(['abort'])
  expect(run.guest.transport.sentTexts).toEqual([])
  expect(run.clock.pendingTimers).toBe(0)
})

/** A guest that does something in `start` already. */
class HastyGuest extends FakeGuest {
  readonly #haste: (guest: HastyGuest) => void

  constructor(haste: (guest: HastyGuest) => void) {
    super()
    this.#haste = haste
  }

  override start(sink: GuestSink): void {
    super.start(sink)
    this.#haste(this)
  }
}

test('nothing is sent to a guest before it has started', () => {
  const sentEarly: string[] = []
  const guest = new HastyGuest((self) => {
    self.write('stderr', 'early')
    sentEarly.push(...self.transport.sentTexts)
  })
  new DriveRun({ guest }).launch()
  expect(sentEarly).toEqual([])
  expect(guest.transport.sent.map(({ type }) => type)).toEqual(['boot'])
})

test('a guest that is gone when it starts settles the run once, with what it cost', async () => {
  const guest = new HastyGuest((self) => self.exit({ type: 'failed-to-start', message: 'spawn error' }))
  guest.measured = { cpuMs: 5, peakMemoryBytes: 6 }
  const run = new DriveRun({ guest }).launch()
  const result = await run.drive.result
  expect(result).toMatchObject(failure('worker-exit', 'the guest failed to start: spawn error'))
  expect(result.usage).toMatchObject({ cpuMs: 5, peakMemoryBytes: 6 })
  expect(run.events.filter((event) => event.type === 'state' && event.state === 'done')).toHaveLength(1)
  expect(run.clock.pendingTimers).toBe(0)
})

test.each<[string, (guest: HastyGuest) => void]>([
  ['a frame over the cap', (guest) => guest.transport.overflow(100)],
  ['a budget that is spent', (guest) => guest.spendBudget('spent')],
])('a guest that has %s when it starts is stopped', async (_what, haste) => {
  const run = new DriveRun({ guest: new HastyGuest(haste) }).launch()
  run.clock.endTurn()
  expect((await run.drive.result).error).toBeDefined()
  expect(run.guest.stopReasons).toHaveLength(1)
  expect(run.clock.pendingTimers).toBe(0)
})

test('a guest that throws when it is started is worker-exit, and is stopped', async () => {
  const guest = new HastyGuest(() => {
    throw new Error('no channel')
  })
  const run = new DriveRun({ guest })
  expect(() => run.launch()).not.toThrow()
  expect(await soon(run.drive.result)).toMatchObject(failure('worker-exit', 'the guest failed to start: no channel'))
  expect(guest.stopReasons).toHaveLength(1)
  expect(run.clock.pendingTimers).toBe(0)
})

// --- the channel ---

test('a boot frame that cannot be written is worker-exit', async () => {
  const run = new DriveRun()
  run.guest.transport.failure = new Error('EPIPE')
  run.launch()
  expect(await run.drive.result).toMatchObject(failure('worker-exit', 'the guest failed to boot: EPIPE'))
  expect(run.guest.stopReasons).toEqual(['worker-exit'])
})

test('a reply that cannot be written is worker-exit', async () => {
  const run = new DriveRun({ functions: { echo: (args) => args } }).run()
  run.guest.transport.failure = new Error('EPIPE')
  run.call(0, 'echo')
  expect(await run.drive.result).toMatchObject(failure('worker-exit', 'the guest cannot be written to: EPIPE'))
})

test('a channel that throws at a write is one that cannot be written to', async () => {
  const guest = new FakeGuest()
  guest.transport.send = () => {
    throw new Error('EBADF')
  }
  const run = new DriveRun({ guest })
  expect(() => run.launch()).not.toThrow()
  expect(await soon(run.drive.result)).toMatchObject(failure('worker-exit', 'the guest failed to boot: EBADF'))
  expect(guest.stopReasons).toEqual(['worker-exit'])
})

test('what a guest answers before a write returns is taken after it, in order', async () => {
  const guest = new FakeGuest()
  const { transport } = guest
  const send = transport.send.bind(transport)
  transport.send = (text, sent) => {
    if (text.startsWith('{"type":"boot"')) transport.receive({ type: 'boot-ack' })
    else transport.receive({ type: 'done', value: 'at once' })
    send(text, sent)
  }
  const run = new DriveRun({ guest }).launch()
  expect(await run.drive.result).toMatchObject({ value: 'at once' })
  expect(transport.sent.map(({ type }) => type)).toEqual(['boot', 'run'])
})

test('replies wait for the channel, one at a time', async () => {
  const run = new DriveRun({ functions: { echo: (args) => args } }).run()
  run.guest.transport.pause()
  for (const id of [0, 1, 2]) run.call(id, 'echo', id)
  await turn()
  expect(run.replies).toHaveLength(1)
  run.guest.transport.drain()
  expect(run.replies).toHaveLength(2)
  run.guest.transport.drain(true)
  expect(run.replies).toEqual([0, 1, 2].map((id) => ({ type: 'reply', id, ok: true, value: id })))
})

test('a full channel holds a run up no longer than its wall time', async () => {
  const run = new DriveRun({ functions: { echo: (args) => args } }).run()
  run.guest.transport.pause()
  for (const id of [0, 1, 2]) run.call(id, 'echo')
  await turn()
  run.clock.advance(500)
  expect(await run.drive.result).toMatchObject({ error: { kind: 'timeout' } })
  run.guest.transport.drain(true)
  expect(run.replies).toHaveLength(1)
})

// --- bindings ---

test.each<[string, () => unknown, object]>([
  ['returns', () => 4, { ok: true, value: 4 }],
  ['resolves', async () => 4, { ok: true, value: 4 }],
  [
    'returns a thenable',
    () => thenable({ value: (resolve: (value: number) => void) => resolve(4) }),
    { ok: true, value: 4 },
  ],
  [
    'throws',
    () => {
      throw new Error('denied')
    },
    { ok: false, message: 'denied' },
  ],
  [
    'rejects',
    async () => {
      throw new Error('denied')
    },
    { ok: false, message: 'denied' },
  ],
  [
    'throws a string',
    () => {
      throw 'bare'
    },
    { ok: false, message: 'bare' },
  ],
  ['rejects with nothing', () => Promise.reject(), { ok: false, message: 'undefined' }],
  ['returns nothing', () => {}, { ok: false, message: expect.stringContaining('lossless JSON') }],
  [
    'throws an unconvertible object',
    () => {
      throw Object.create(null)
    },
    { ok: false, message: expect.any(String) },
  ],
])('a binding that %s is answered', async (_what, binding, answer) => {
  const run = new DriveRun({ functions: { tool: binding } }).run()
  run.call(0, 'tool')
  await turn()
  expect(run.replies).toEqual([{ type: 'reply', id: 0, ...answer }])
})

test('a binding is called in the turn of the call, with the argument and a signal', () => {
  const seen: unknown[] = []
  const run = new DriveRun({ functions: { tool: (args, { signal }) => seen.push(args, signal.aborted) } }).run()
  run.call(0, 'tool', { city: 'Oslo' })
  expect(seen).toEqual([{ city: 'Oslo' }, false])
})

test('calls run concurrently, and replies overtake each other', async () => {
  const answers: ((value: string) => void)[] = []
  const run = new DriveRun({ functions: { ask: () => new Promise((resolve) => answers.push(resolve)) } }).run()
  run.call(0, 'ask')
  run.call(1, 'ask')
  expect(answers).toHaveLength(2)
  answers[1]!('second')
  await turn()
  answers[0]!('first')
  await turn()
  expect(run.replies).toMatchObject([
    { id: 1, value: 'second' },
    { id: 0, value: 'first' },
  ])
})

test.each<[string, (run: DriveRun) => void]>([
  ['completes', (run) => run.done(1)],
  ['is aborted', (run) => run.drive.end('abort', 'enough')],
  ['takes too long', (run) => run.clock.advance(500)],
  ['loses its guest', (run) => run.guest.exit({ type: 'exited', code: 1 })],
  [
    'is decided while its guest still lives',
    (run) => {
      run.guest.goesWhenStopped = false
      run.done(1)
    },
  ],
])('the signal of the bindings fires when the run %s, and not before', async (_what, end) => {
  const signals: AbortSignal[] = []
  const run = new DriveRun({
    functions: {
      wait: (_args, { signal }) =>
        new Promise((resolve) => {
          signals.push(signal)
          signal.addEventListener('abort', () => resolve('stopped'))
        }),
    },
  }).run()
  run.call(0, 'wait')
  run.call(1, 'wait')
  await turn()
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false])
  end(run)
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
  run.guest.exit({ type: 'exited', code: 0 })
  expect((await run.drive.result).calls).toMatchObject([{ state: 'running' }, { state: 'running' }])
})

test('bindings that all listen to the signal cause no warning', async () => {
  const run = new DriveRun({
    functions: { wait: (_args, { signal }) => new Promise(() => signal.addEventListener('abort', () => {})) },
  }).run()
  for (let id = 0; id < 20; id += 1) run.call(id, 'wait')
  await turn()
  run.done('fine')
  expect(await run.drive.result).toMatchObject({ value: 'fine' })
})

test.each<[string, (run: DriveRun) => void]>([
  ['is settled', (run) => run.done('fine')],
  [
    'waits for its guest',
    (run) => {
      run.guest.goesWhenStopped = false
      run.done('fine')
    },
  ],
])('what a binding answers when the run %s is dropped without a look', async (_what, end) => {
  const settle: { resolve: (value: unknown) => void; reject: (error: unknown) => void }[] = []
  const ask = () => new Promise((resolve, reject) => settle.push({ resolve, reject }))
  const run = new DriveRun({ functions: { ask } }).run()
  run.call(0, 'ask')
  run.call(1, 'ask')
  end(run)
  const value = withGetters({ rows: [1], toJSON: 'x' })
  const error = withGetters({ message: 'late', stack: 'late', cause: 'late' })
  settle[0]!.resolve(value.object)
  settle[1]!.reject(error.object)
  await turn()
  expect([...value.reads, ...error.reads]).toEqual([])
  expect(run.replies).toEqual([])
  run.guest.exit({ type: 'exited', code: 0 })
  expect(await run.drive.result).toMatchObject({ value: 'fine', calls: [{ state: 'running' }, { state: 'running' }] })
})

test('1,025 calls that hang at the end of their turn end the run', async () => {
  const run = new DriveRun({ functions: { hang: () => new Promise(() => {}) } }).run()
  for (let id = 0; id < 1_024; id += 1) run.call(id, 'hang')
  run.clock.endTurn()
  expect(run.drive.isDecided).toBe(false)
  run.call(1_024, 'hang')
  run.done('forged')
  run.clock.endTurn()
  expect(await run.drive.result).toMatchObject(
    failure('worker-exit', 'call backlog exceeded 1024 outstanding binding calls'),
  )
})

test('1,025 calls that answer at once, and a done in the same turn, are fine', async () => {
  const run = new DriveRun({ functions: { echo: () => 1 } }).run()
  for (let id = 0; id < 1_025; id += 1) run.call(id, 'echo')
  run.done('fine')
  await turn()
  run.clock.endTurn()
  expect(await run.drive.result).toMatchObject({ value: 'fine' })
  expect(run.replies).toHaveLength(1_025)
})

// --- events ---

test('events are delivered as they happen', async () => {
  const run = new DriveRun({ functions: { echo: (args) => args } }).run()
  run.guest.transport.receive({ type: 'log', text: 'hello' })
  run.call(0, 'echo')
  await turn()
  run.done(1)
  await run.drive.result
  const seen = run.events.map((event) => (event.type === 'state' ? event.state : event.type))
  expect(seen).toEqual(['waiting', 'starting', 'running', 'log', 'call-start', 'call-end', 'settling', 'done'])
})

const fromListener = (): never => {
  throw new Error('from the listener')
}

test.each<[string, () => unknown]>([
  ['throws', fromListener],
  ['rejects', () => Promise.reject(new Error('from the listener'))],
  ['returns a thenable that throws', () => thenable({ get: fromListener })],
  ['never resolves', () => new Promise(() => {})],
])('a listener that %s disturbs nothing', async (_what, listen) => {
  const run = new DriveRun({ functions: { echo: (args) => args }, onEvent: listen as () => void }).run()
  run.call(0, 'echo', 7)
  await turn()
  run.done('fine')
  expect(await run.drive.result).toMatchObject({ value: 'fine' })
  await turn()
})

test('a listener may end the run: what it hears next is the end', async () => {
  const seen: string[] = []
  const run: DriveRun = new DriveRun({
    onEvent: (event) => {
      seen.push(event.type === 'state' ? event.state : event.type)
      if (event.type === 'log') run.drive.end('abort', 'enough')
    },
  }).run()
  run.guest.transport.receive({ type: 'log', text: 'hello' })
  run.done('late')
  expect(await run.drive.result).toMatchObject(failure('abort', 'enough'))
  expect(seen.slice(-3)).toEqual(['log', 'settling', 'done'])
})

test('a run without a listener works', async () => {
  const run = new DriveRun({ onEvent: undefined }).run()
  run.done('fine')
  expect(await run.drive.result).toMatchObject({ value: 'fine' })
})

// --- a backend that breaks its promises ---

test('a guest that throws when it is stopped settles the run all the same', async () => {
  const guest = Object.assign(new FakeGuest(), { stopWithinMs: 1_000 })
  guest.stop = () => {
    throw new Error('cannot be stopped')
  }
  const run = new DriveRun({ guest }).run()
  expect(() => run.drive.end('abort', 'enough')).not.toThrow()
  run.clock.advance(1_000)
  expect(await soon(run.drive.result)).toMatchObject(failure('abort', 'enough'))
})

test('what a guest cannot tell it cost is null', async () => {
  const guest = new FakeGuest()
  guest.usage = () => {
    throw new Error('ESRCH')
  }
  const run = new DriveRun({ guest }).run()
  expect(() => run.done('fine')).not.toThrow()
  expect(await soon(run.drive.result)).toMatchObject({ value: 'fine', usage: { cpuMs: null, peakMemoryBytes: null } })
})

test('a value that cannot even be encoded settles the run, and no rejection is left in the host', async () => {
  const encode: typeof codec.encode = (value, maxBytes) => {
    if (value === 'huge') throw new RangeError('Invalid string length')
    return codec.encode(value, maxBytes)
  }
  const run = new DriveRun({ functions: { tool: () => 'huge' }, codec: { ...codec, encode } }).run()
  run.call(0, 'tool')
  await turn()
  run.done('fine')
  expect(await soon(run.drive.result)).not.toBe('still pending')
})
