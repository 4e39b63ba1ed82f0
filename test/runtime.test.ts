import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { ConfigurationError, MisuseError } from '../src/domain/errors.js'
import { isLimitProblem, type Limits, resolveLimits } from '../src/domain/limits.js'
import type { RunEvent } from '../src/domain/outcome.js'
import type { BindingNamespace, RunRequest } from '../src/domain/request.js'
import type { Launcher, LaunchOptions } from '../src/ports/launcher.js'
import { GuestRuntime } from '../src/runtime.js'
import { answering, FakeLauncher, ManualClock } from '../src/testing.js'
import { codec } from './support/codec.js'
import { withThrowingGetter } from './support/getters.js'
import { soon, turn } from './support/turn.js'

const CAP_BYTES = 67_108_864

const newRuntime = (launcher: Launcher, given: Limits = {}, maxConcurrentRuns = 64) => {
  const clock = new ManualClock()
  const { isolation, limits: alsoApplies = [] } = launcher
  const limits = resolveLimits(given, { isolation, alsoApplies, frameCapBytes: CAP_BYTES })
  if (isLimitProblem(limits)) throw new Error(limits.expected)
  const parts = { launcher, clock, codec, limits, frameCapBytes: CAP_BYTES, maxConcurrentRuns }
  return { clock, runtime: new GuestRuntime(parts) }
}

/** A launcher whose preparation the test ends. */
class SlowLauncher extends FakeLauncher {
  readonly preparing: { resolve: () => void; reject: (error: unknown) => void }[] = []

  override prepare(program: string) {
    return new Promise<{ ok: true; program: string }>((resolve, reject) => {
      this.preparing.push({ resolve: () => resolve({ ok: true, program }), reject })
    })
  }
}

const aborted = (message: string) => ({ error: { kind: 'abort', message }, logs: [], calls: [] })

test('the labels are those of the launcher', () => {
  const { runtime } = newRuntime(new FakeLauncher())
  expect([runtime.language, runtime.isolation]).toEqual(['typescript', 'fake'])
})

test('a run resolves with what its program returned and printed', async () => {
  const { runtime } = newRuntime(new FakeLauncher(answering({ value: 8, logs: ['hello'] })))
  const result = await runtime.run({ program: 'return 8' })
  expect(result).toMatchObject({ value: 8, logs: ['hello'], calls: [] })
  expect(result).not.toHaveProperty('error')
})

test('every run has a guest of its own, which gets the prepared program', async () => {
  const launcher = new FakeLauncher(answering({ value: 1 }))
  const { runtime } = newRuntime(launcher)
  await Promise.all(['first', 'second'].map((program) => runtime.run({ program })))
  expect(launcher.programs).toEqual(['first', 'second'])
  const ran = launcher.guests.map(({ transport }) => transport.sent.find(({ type }) => type === 'run'))
  expect(ran).toEqual(['first', 'second'].map((program) => ({ type: 'run', program })))
})

test('bindings are called, and their account is in the result', async () => {
  const launcher = new FakeLauncher(async ({ transport }) => {
    await transport.sentFrame('boot')
    transport.receive({ type: 'boot-ack' })
    await transport.sentFrame('run')
    transport.receive({ type: 'call', id: 0, global: 'tools', name: 'add', args: { a: 1, b: 2 } })
    const reply = await transport.sentFrame('reply')
    transport.receive({ type: 'done', value: reply.ok && reply.value })
  })
  const { runtime } = newRuntime(launcher)
  const result = await runtime.run({
    program: '',
    bindings: [{ global: 'tools', functions: { add: ({ a, b }: { a: number; b: number }) => a + b } }],
  })
  expect(result).toMatchObject({ value: 3, calls: [{ name: 'add', state: 'succeeded' }] })
  expect(launcher.guests[0]!.transport.sent[0]).toMatchObject({ namespaces: [{ global: 'tools', names: ['add'] }] })
})

test.each<[readonly ('cpuSeconds' | 'addressSpaceMb')[], object]>([
  [[], { maxLogBytes: 64, maxValueBytes: 9 }],
  [['cpuSeconds'], { maxLogBytes: 64, maxValueBytes: 9, cpuSeconds: 60 }],
  [['addressSpaceMb'], { maxLogBytes: 64, maxValueBytes: 9, addressSpaceBytes: 2_147_483_648 }],
])('a guest whose backend enforces %j as well is told at boot', async (limits, told) => {
  const launcher = Object.assign(new FakeLauncher(answering({})), { limits })
  const { runtime } = newRuntime(launcher, { maxLogBytes: 64, maxValueBytes: 9 })
  await runtime.run({ program: '' })
  expect(launcher.guests[0]!.transport.sent[0]).toEqual({ type: 'boot', namespaces: [], ...told })
})

test('a launcher is given the limits and the frame cap', async () => {
  const given: LaunchOptions[] = []
  class NotingLauncher extends FakeLauncher {
    override launch(options: LaunchOptions) {
      given.push(options)
      return super.launch(options)
    }
  }
  const { runtime } = newRuntime(new NotingLauncher(answering({})), { maxWallMs: 7 })
  await runtime.run({ program: '' })
  expect(given).toEqual([{ limits: expect.objectContaining({ maxWallMs: 7 }), frameCapBytes: CAP_BYTES }])
})

test('a run goes through its states, and the listener hears of the first before anything is prepared', async () => {
  const launcher = new SlowLauncher(answering({}))
  const { runtime } = newRuntime(launcher)
  const events: RunEvent[] = []
  const running = runtime.run({ program: '', onEvent: (event) => events.push(event) })
  await turn()
  expect(events).toEqual([{ type: 'state', state: 'waiting' }])
  launcher.preparing[0]!.resolve()
  await running
  const states = events.flatMap((event) => (event.type === 'state' ? [event.state] : []))
  expect(states).toEqual(['waiting', 'starting', 'running', 'settling', 'done'])
})

// --- programs that get no guest ---

test('a program that does not parse is an exception, and gets no guest', async () => {
  const launcher = Object.assign(new FakeLauncher(), { syntaxError: 'SyntaxError: <model>:1:1' })
  const { runtime } = newRuntime(launcher)
  const result = await runtime.run({ program: '{' })
  expect(result).toMatchObject({ error: { kind: 'exception', message: 'SyntaxError: <model>:1:1' }, logs: [] })
  expect(launcher.guests).toEqual([])
})

test('the diagnostic of a program that does not parse is capped', async () => {
  const launcher = Object.assign(new FakeLauncher(), { syntaxError: 'x'.repeat(100) })
  const { runtime } = newRuntime(launcher, { maxValueBytes: 40 })
  const { error } = await runtime.run({ program: '{' })
  expect(error?.message).toBe(`${'x'.repeat(25)}… [truncated]`)
})

test.each<[string, () => Promise<never>]>([
  ['rejects', () => Promise.reject(new Error('no transformer'))],
  [
    'throws',
    () => {
      throw new Error('no transformer')
    },
  ],
])('a preparation that %s ends the run', async (_what, prepare) => {
  const { runtime } = newRuntime(Object.assign(new FakeLauncher(), { prepare }))
  const result = await runtime.run({ program: '' })
  expect(result.error).toEqual({ kind: 'worker-exit', message: 'the program could not be prepared: no transformer' })
})

test('a launch that throws is worker-exit', async () => {
  const { runtime } = newRuntime(Object.assign(new FakeLauncher(), { launchFailure: new Error('EMFILE') }))
  expect((await runtime.run({ program: '' })).error).toEqual({
    kind: 'worker-exit',
    message: 'the guest failed to start: EMFILE',
  })
})

test('the time that the preparation takes is part of the wall time', async () => {
  const launcher = new SlowLauncher()
  const { runtime, clock } = newRuntime(launcher, { maxWallMs: 500 })
  const running = runtime.run({ program: '' })
  clock.advance(500)
  expect(await soon(running)).toMatchObject({
    error: { kind: 'timeout', message: expect.stringContaining('maxWallMs') },
  })
  launcher.preparing[0]!.resolve()
  await turn()
  expect(launcher.guests).toEqual([])
  expect(clock.pendingTimers).toBe(0)
})

// --- misuse ---

test('a bad request rejects with a MisuseError, and nothing is prepared', async () => {
  const launcher = new FakeLauncher()
  const { runtime } = newRuntime(launcher)
  const request = { program: '', bindings: [{ global: 'await', functions: {} }] }
  await expect(runtime.run(request)).rejects.toThrow(MisuseError)
  await expect(runtime.run(undefined as unknown as RunRequest)).rejects.toThrow(MisuseError)
  expect(launcher.programs).toEqual([])
})

test('a getter of the functions that throws rejects the run with what it threw, and no guest is made', async () => {
  const launcher = new FakeLauncher(answering({}))
  const { runtime } = newRuntime(launcher)
  const thrown = new RangeError('from the getter')
  const functions = withThrowingGetter('tool', thrown) as BindingNamespace['functions']
  await expect(runtime.run({ program: '', bindings: [{ global: 'tools', functions }] })).rejects.toBe(thrown)
  expect([launcher.programs, launcher.guests]).toEqual([[], []])
})

test('the request is read at the call', async () => {
  const launcher = new FakeLauncher(answering({}))
  const { runtime } = newRuntime(launcher)
  const request = { program: 'old' }
  const running = runtime.run(request)
  request.program = 'new'
  await running
  expect(launcher.programs).toEqual(['old'])
})

// --- abort ---

test.each<[string, unknown, string]>([
  ['an error', new Error('enough'), 'enough'],
  ['a text', 'enough', 'enough'],
  ['the default reason', undefined, 'This operation was aborted'],
  ['a reason that cannot be converted', Object.create(null), '<a value that cannot be converted to text>'],
])('a signal that is aborted already with %s ends the run without a guest', async (_what, reason, message) => {
  const launcher = new FakeLauncher(answering({}))
  const { runtime, clock } = newRuntime(launcher)
  expect(await runtime.run({ program: '', signal: AbortSignal.abort(reason) })).toMatchObject(aborted(message))
  expect([launcher.programs, launcher.guests]).toEqual([[], []])
  expect(clock.pendingTimers).toBe(0)
})

test('an abort in the same turn as run() is not missed', async () => {
  const launcher = new FakeLauncher(answering({ value: 1 }))
  const { runtime } = newRuntime(launcher)
  const controller = new AbortController()
  const running = runtime.run({ program: '', signal: controller.signal })
  controller.abort(new Error('at once'))
  expect(await running).toMatchObject(aborted('at once'))
  expect(launcher.guests).toEqual([])
})

test('an abort by a listener that hears of the run for the first time ends it, and no guest is made', async () => {
  const launcher = new FakeLauncher(answering({ value: 1 }))
  const { runtime, clock } = newRuntime(launcher)
  const controller = new AbortController()
  const onEvent = () => controller.abort('enough')
  expect(await runtime.run({ program: '', signal: controller.signal, onEvent })).toMatchObject(aborted('enough'))
  expect([launcher.programs, launcher.guests, clock.pendingTimers]).toEqual([[], [], 0])
})

test('an abort during the preparation settles the run, and no guest is made', async () => {
  const launcher = new SlowLauncher(answering({ value: 1 }))
  const { runtime } = newRuntime(launcher)
  const controller = new AbortController()
  const running = runtime.run({ program: '', signal: controller.signal })
  await turn()
  controller.abort('enough')
  launcher.preparing[0]!.resolve()
  expect(await running).toMatchObject(aborted('enough'))
  await turn()
  expect(launcher.guests).toEqual([])
})

test.each<[string, (launcher: SlowLauncher) => void]>([
  ['hangs', () => {}],
  ['fails later', (launcher) => setImmediate(() => launcher.preparing[0]!.reject(new Error('late')))],
])('an abort does not wait for a preparation that %s', async (_what, end) => {
  const launcher = new SlowLauncher()
  const { runtime } = newRuntime(launcher)
  const controller = new AbortController()
  const running = runtime.run({ program: '', signal: controller.signal })
  await turn()
  controller.abort('enough')
  expect(await soon(running)).toMatchObject(aborted('enough'))
  end(launcher)
  await turn()
  await turn()
})

test('an abort while the guest boots or runs stops it', async () => {
  for (const isBooted of [false, true]) {
    const launcher = new FakeLauncher()
    const { runtime } = newRuntime(launcher)
    const controller = new AbortController()
    const running = runtime.run({ program: '', signal: controller.signal })
    const guest = await launcher.nextGuest(0)
    if (isBooted) guest.transport.receive({ type: 'boot-ack' })
    guest.write('stdout', 'before')
    controller.abort('enough')
    expect(await running).toMatchObject({ error: { kind: 'abort', message: 'enough' }, logs: ['before'] })
    expect(guest.stopReasons).toEqual(['abort'])
  }
})

test('an abort after the completion changes nothing', async () => {
  const launcher = new FakeLauncher(answering({ value: 1 }))
  const { runtime } = newRuntime(launcher)
  const controller = new AbortController()
  const result = await runtime.run({ program: '', signal: controller.signal })
  controller.abort('late')
  expect(result).toMatchObject({ value: 1 })
  expect(launcher.guests[0]!.stopReasons).toEqual(['completed'])
})

test.each<[string, FakeLauncher, (controller: AbortController) => void]>([
  ['completed', new FakeLauncher(answering({})), () => {}],
  ['was aborted', new FakeLauncher(), (controller) => controller.abort('enough')],
  ['never parsed', Object.assign(new FakeLauncher(), { syntaxError: 'SyntaxError' }), () => {}],
])("a run that %s leaves no listener on the caller's signal", async (_what, launcher, end) => {
  const { runtime } = newRuntime(launcher)
  const controller = new AbortController()
  const { signal } = controller
  const running = runtime.run({ program: '', signal })
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  end(controller)
  await running
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('fifty runs in a row with one signal cause no warning', async () => {
  const { runtime } = newRuntime(new FakeLauncher(answering({ value: 1 })))
  const { signal } = new AbortController()
  for (let count = 0; count < 50; count += 1) {
    expect(await runtime.run({ program: '', signal })).toMatchObject({ value: 1 })
  }
})

test('twenty runs at a time with one signal cause no warning', async () => {
  const { runtime } = newRuntime(new FakeLauncher(answering({ value: 1 })))
  const { signal } = new AbortController()
  const runs = Array.from({ length: 20 }, () => runtime.run({ program: '', signal }))
  for (const result of await Promise.all(runs)) expect(result).toMatchObject({ value: 1 })
  await turn()
})

// --- dispose ---

test('run() after dispose rejects with a MisuseError', async () => {
  const launcher = new FakeLauncher(answering({}))
  const { runtime } = newRuntime(launcher)
  await runtime.dispose()
  await expect(runtime.run({ program: '' })).rejects.toThrow(MisuseError)
  await expect(runtime.run({ program: '' })).rejects.toThrow('the runtime is disposed')
  await expect(runtime.run({ program: '' })).rejects.not.toThrow(ConfigurationError)
  expect(launcher.programs).toEqual([])
})

test('dispose is idempotent, and ends the launcher once', async () => {
  let disposals = 0
  const launcher = Object.assign(new FakeLauncher(), {
    dispose: async () => {
      disposals += 1
    },
  })
  const { runtime } = newRuntime(launcher)
  const first = runtime.dispose()
  expect(runtime.dispose()).toBe(first)
  await first
  await runtime.dispose()
  expect(disposals).toBe(1)
})

test('a runtime disposes of itself at the end of a block', async () => {
  const launcher = new FakeLauncher()
  const { runtime } = newRuntime(launcher)
  await runtime[Symbol.asyncDispose]()
  expect(launcher.isDisposed).toBe(true)
})

test.each<[string, (launcher: FakeLauncher) => Promise<void>]>([
  ['in the turn of run()', async () => {}],
  ['while a guest boots', async (launcher) => void (await launcher.nextGuest(0))],
  ['while a program runs', async (launcher) => (await launcher.nextGuest(0)).transport.receive({ type: 'boot-ack' })],
])('dispose %s ends the run as abort', async (_when, reach) => {
  const launcher = new FakeLauncher()
  const { runtime } = newRuntime(launcher)
  const running = runtime.run({ program: '' })
  await reach(launcher)
  await runtime.dispose()
  expect(await running).toMatchObject(aborted('runtime disposed'))
  expect(launcher.isDisposed).toBe(true)
})

test('dispose by a listener that hears of the run for the first time ends it, and no guest is made', async () => {
  const launcher = new FakeLauncher(answering({ value: 1 }))
  const { runtime } = newRuntime(launcher)
  const result = await runtime.run({ program: '', onEvent: () => void runtime.dispose() })
  expect(result).toMatchObject(aborted('runtime disposed'))
  await runtime.dispose()
  expect([launcher.programs, launcher.guests]).toEqual([[], []])
})

test('dispose during a preparation ends the run, and no guest is made', async () => {
  const launcher = new SlowLauncher(answering({ value: 1 }))
  const { runtime } = newRuntime(launcher)
  const running = runtime.run({ program: '' })
  await turn()
  expect(await soon(runtime.dispose())).toBeUndefined()
  expect(await running).toMatchObject(aborted('runtime disposed'))
  launcher.preparing[0]!.resolve()
  await turn()
  expect(launcher.guests).toEqual([])
})

test('dispose waits until every guest is gone, and only then ends the launcher', async () => {
  const launcher = new FakeLauncher()
  const { runtime } = newRuntime(launcher)
  const runs = ['a', 'b'].map((program) => runtime.run({ program }))
  const guests = [await launcher.nextGuest(0), await launcher.nextGuest(1)]
  for (const guest of guests) guest.goesWhenStopped = false
  const disposal = runtime.dispose()
  guests[0]!.exit({ type: 'killed', signal: 'SIGTERM' })
  expect(await soon(disposal)).toBe('still pending')
  expect(launcher.isDisposed).toBe(false)
  guests[1]!.exit({ type: 'killed', signal: 'SIGTERM' })
  await disposal
  expect(launcher.isDisposed).toBe(true)
  for (const result of await Promise.all(runs)) expect(result).toMatchObject(aborted('runtime disposed'))
})

test('dispose waits no longer for a guest than its own time', async () => {
  const launcher = new FakeLauncher()
  const { runtime, clock } = newRuntime(launcher)
  const running = runtime.run({ program: '' })
  const guest = Object.assign(await launcher.nextGuest(0), { goesWhenStopped: false, stopWithinMs: 1_000 })
  const disposal = runtime.dispose()
  clock.advance(1_000)
  await disposal
  expect(await running).toMatchObject(aborted('runtime disposed'))
  expect(guest.stopReasons).toEqual(['abort'])
})

test('dispose after a completion changes nothing about it', async () => {
  const launcher = new FakeLauncher()
  const { runtime } = newRuntime(launcher)
  const running = runtime.run({ program: '' })
  const guest = Object.assign(await launcher.nextGuest(0), { goesWhenStopped: false })
  guest.transport.receive({ type: 'boot-ack' })
  guest.transport.receive({ type: 'done', value: 'fine' })
  const disposal = runtime.dispose()
  guest.exit({ type: 'exited', code: 0 })
  await disposal
  expect(await running).toMatchObject({ value: 'fine' })
})

// --- many at once ---

test('more runs than may have a guest wait in order, and say so', async () => {
  const launcher = new FakeLauncher()
  const { runtime } = newRuntime(launcher, {}, 2)
  const heard: string[] = []
  const run = (program: string) =>
    runtime.run({
      program,
      onEvent: (event) => void (event.type === 'state' && heard.push(`${program} ${event.state}`)),
    })
  const runs = ['a', 'b', 'c', 'd'].map(run)
  await turn()
  expect([launcher.programs, heard.filter((text) => text.endsWith('waiting'))]).toEqual([
    ['a', 'b'],
    ['a waiting', 'b waiting', 'c waiting', 'd waiting'],
  ])
  launcher.guests[1]!.exit({ type: 'exited', code: 0 })
  await runs[1]
  await turn()
  expect(launcher.programs).toEqual(['a', 'b', 'c'])
  await runtime.dispose()
  expect((await Promise.all(runs)).map(({ error }) => error?.kind)).toEqual(['abort', 'worker-exit', 'abort', 'abort'])
  expect(launcher.programs).toEqual(['a', 'b', 'c'])
})

test('a run has a guest until nothing is left of it', async () => {
  const launcher = new FakeLauncher(answering({ value: 1 }))
  let end!: (reason: Error) => void
  const launch = launcher.launch.bind(launcher)
  const ended = new Promise((_resolve, reject) => {
    end = reject
  })
  launcher.launch = (options) => Object.assign(launch(options), launcher.guests.length === 1 ? { ended } : {})
  const { runtime } = newRuntime(launcher, {}, 1)
  expect((await runtime.run({ program: 'a' })).value).toBe(1)
  const second = runtime.run({ program: 'b' })
  await turn()
  expect(launcher.programs).toEqual(['a'])
  end(new Error('an end that breaks its word'))
  expect((await second).value).toBe(1)
})

test('the wall time of a run that waits has not begun', async () => {
  const launcher = new FakeLauncher()
  const { clock, runtime } = newRuntime(launcher, { maxWallMs: 100 }, 1)
  const first = runtime.run({ program: 'a' })
  const second = runtime.run({ program: 'b' })
  await turn()
  clock.advance(90)
  launcher.guests[0]!.exit({ type: 'exited', code: 0 })
  await first
  await turn()
  clock.advance(90)
  expect(await soon(second)).toBe('still pending')
  clock.advance(10)
  launcher.guests[1]!.exit({ type: 'exited', code: 0 })
  expect(await second).toMatchObject({ error: { kind: 'timeout' }, usage: { wallMs: 100 } })
})

test('a run that waits is aborted at once, and takes nobody’s turn', async () => {
  const launcher = new FakeLauncher()
  const { runtime } = newRuntime(launcher, {}, 1)
  const first = runtime.run({ program: 'a' })
  const controller = new AbortController()
  const second = runtime.run({ program: 'b', signal: controller.signal })
  const third = runtime.run({ program: 'c' })
  controller.abort('changed my mind')
  expect(await second).toMatchObject({ ...aborted('changed my mind'), usage: { wallMs: 0 } })
  await turn()
  launcher.guests[0]!.exit({ type: 'exited', code: 0 })
  await first
  await turn()
  expect(launcher.programs).toEqual(['a', 'c'])
  await runtime.dispose()
  await third
})

test('a program that cannot be prepared leaves its place to the next', async () => {
  const launcher = new FakeLauncher(answering({ value: 2 }))
  launcher.syntaxError = 'does not parse'
  const { runtime } = newRuntime(launcher, {}, 1)
  const runs = [runtime.run({ program: 'a' }), runtime.run({ program: 'b' })]
  expect((await Promise.all(runs)).map(({ error }) => error?.message)).toEqual(['does not parse', 'does not parse'])
})
