import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createCodeRuntime, type Limits, MisuseError } from '../../src/index.js'
import { FakeProcessControl, ManualClock, type ProcessScript } from '../../src/testing.js'
import { useOwnTemp } from '../support/processes.js'
import { soon, turn } from '../support/turn.js'

const temp = useOwnTemp()

const EXIT = { code: 0, signal: null }
const DONE = '{"type":"done","value":"é"}\n'

/** The real Python backend over processes that a script plays. */
const newRuntime = async (script?: ProcessScript, limits: Limits = { graceMs: 1_000 }) => {
  const clock = new ManualClock({ turns: 'real' })
  const processControl = new FakeProcessControl(script)
  const runtime = await createCodeRuntime({
    language: 'python',
    pythonBin: '/no/such/python3',
    warm: 0,
    limits,
    adapters: { clock, processControl },
  })
  return { runtime, clock, processControl }
}

/** Boots, and then does what the test says. */
const booted =
  (act: ProcessScript): ProcessScript =>
  async (process) => {
    await process.channel.sentFrame('boot')
    process.channel.receiveBytes('{"type":"boot-ack"}\n')
    await process.channel.sentFrame('run')
    await act(process)
  }

test('a runtime needs no interpreter, and starts what it was told', async () => {
  const { runtime, processControl } = await newRuntime(booted(({ channel }) => channel.receiveBytes(DONE)))
  const result = await runtime.run({ program: 'return 1' })
  const [process] = processControl.processes
  expect(result).toMatchObject({ value: 'é', logs: [], usage: { cpuMs: null } })
  expect(process?.command.file).toBe('/no/such/python3')
  expect(process?.channel.sent).toMatchObject([{ type: 'boot', cpuSeconds: 60 }, { program: 'return 1' }])
  expect([process?.signals, processControl.endedDescendantsOf]).toEqual([['SIGTERM'], [1_000]])
  expect(readdirSync(temp.path)).toEqual([])
  await runtime.dispose()
})

describe('a run ends as it should when the guest', () => {
  const died = (how: string) => ({ kind: 'worker-exit', message: `the guest ${how} before completing` })
  test.each<[string, ProcessScript, object]>([
    [
      'comes byte by byte',
      ({ channel }) => {
        channel.receiveBytes('{"type":"log","text":"ü"}\n', { chunkBytes: 1 })
        channel.receiveBytes(DONE, { chunkBytes: 1 })
      },
      { logs: ['ü'], value: 'é' },
    ],
    [
      'sends half a line and dies',
      (process) => {
        process.channel.receiveBytes(DONE.slice(0, -2))
        process.exit({ code: 7, signal: null })
      },
      { error: died('exited with code 7') },
    ],
    [
      'is killed in its call',
      (process) => {
        process.channel.receive({ type: 'call', id: 0, global: 'tools', name: 'hang', args: {} })
        process.exit({ code: null, signal: 'SIGKILL' })
      },
      { error: died('was killed by SIGKILL'), calls: [{ name: 'hang', state: 'running', durationMs: null }] },
    ],
    [
      'answers as its last act, and writes afterwards',
      (process) => {
        process.exit(EXIT, { holdsPipes: true })
        process.channel.receiveBytes(DONE)
        process.stdout.write('late')
        process.close()
      },
      { value: 'é', logs: ['late'] },
    ],
    [
      'writes no UTF-8',
      ({ channel }) => {
        channel.receiveBytes(Buffer.from('{"type":"done","value":"\xff"}\n', 'latin1'))
        channel.receiveBytes(DONE)
      },
      { value: 'é' },
    ],
    [
      'sends an endless line',
      ({ channel }) => channel.receiveBytes('x'.repeat(67_108_865), { chunkBytes: 8_388_608 }),
      { error: { kind: 'worker-exit', message: 'a frame of the guest exceeded 67108864 bytes' } },
    ],
    [
      'cannot be written to any more',
      ({ channel }) => {
        channel.failure = new Error('EPIPE')
        channel.receive({ type: 'call', id: 0, global: 'tools', name: 'one', args: {} })
      },
      { error: { kind: 'worker-exit', message: 'the guest cannot be written to: EPIPE' } },
    ],
    [
      'spends its CPU time',
      (process) => process.exit({ code: null, signal: 'SIGXCPU' }),
      { error: { kind: 'timeout', message: expect.stringContaining('cpuSeconds') } },
    ],
  ])('%s', async (_title, act, expected) => {
    const { runtime, processControl } = await newRuntime(booted(act))
    const functions = { hang: () => new Promise(() => {}), one: () => 1 }
    const run = runtime.run({ program: '', bindings: [{ global: 'tools', functions }] })
    expect(await run).toMatchObject(expected)
    expect(processControl.endedDescendantsOf).toEqual([1_000])
    await runtime.dispose()
  })
})

describe('a guest that', () => {
  test('never answers ends by the clock', async () => {
    const { runtime, clock, processControl } = await newRuntime(undefined, { maxWallMs: 500 })
    const run = runtime.run({ program: '' })
    await processControl.nextProcess(0)
    clock.advance(500)
    expect((await run).error?.kind).toBe('timeout')
    expect(clock.pendingTimers).toBe(0)
    await runtime.dispose()
  })

  test('has answered and does not hear SIGTERM is killed after the grace, and holds not its run', async () => {
    const { runtime, clock, processControl } = await newRuntime(booted(({ channel }) => channel.receiveBytes(DONE)))
    processControl.deadlySignals = ['SIGKILL']
    expect(await runtime.run({ program: '' })).toMatchObject({ value: 'é' })
    const disposed = runtime.dispose()
    clock.advance(999)
    expect(await soon(disposed)).toBe('still pending')
    clock.advance(1)
    await disposed
    expect(processControl.processes[0]?.signals).toEqual(['SIGTERM', 'SIGKILL'])
  })

  test.each<[string, (control: FakeProcessControl) => void]>([
    ['survives SIGKILL', (control) => Object.assign(control, { deadlySignals: [] })],
    ['may not be signalled', (control) => Object.assign(control, { signalFailure: new Error('EPERM') })],
  ])('%s holds its run no longer than the grace and two seconds, and dispose to its end', async (_title, arm) => {
    const { runtime, clock, processControl } = await newRuntime(booted(() => {}))
    arm(processControl)
    const controller = new AbortController()
    const run = runtime.run({ program: '', signal: controller.signal })
    await turn()
    controller.abort('enough')
    clock.advance(1_000)
    await turn()
    clock.advance(1_999)
    expect(await soon(run)).toBe('still pending')
    clock.advance(1)
    expect(await run).toMatchObject({ error: { kind: 'abort', message: 'enough' } })
    const disposed = runtime.dispose()
    processControl.processes[0]?.exit(EXIT)
    await disposed
    await expect(runtime.run({ program: '' })).rejects.toThrow(MisuseError)
  })

  test('leaves descendants that survive holds dispose until they are gone, and not its run', async () => {
    const { runtime, processControl } = await newRuntime(booted(({ channel }) => channel.receiveBytes(DONE)))
    let end = (): void => {}
    processControl.descendantsGone = new Promise<void>((resolve) => {
      end = resolve
    })
    expect(await runtime.run({ program: '' })).toMatchObject({ value: 'é' })
    const disposed = runtime.dispose()
    expect(await soon(disposed)).toBe('still pending')
    end()
    await disposed
  })
})

test.each<[string, (control: FakeProcessControl) => void, string]>([
  ['at once', (control) => Object.assign(control, { spawnFailure: new Error('spawn EMFILE') }), 'spawn EMFILE'],
  ['later', (control) => Object.assign(control, { startFailure: new Error('spawn ENOENT') }), 'spawn ENOENT'],
])('a process that fails to start %s is worker-exit, and the next run is clean', async (_title, arm, message) => {
  const { runtime, processControl } = await newRuntime(booted(({ channel }) => channel.receiveBytes(DONE)))
  arm(processControl)
  expect((await runtime.run({ program: '' })).error).toEqual({
    kind: 'worker-exit',
    message: expect.stringContaining(message),
  })
  Object.assign(processControl, { spawnFailure: undefined, startFailure: undefined })
  expect(await runtime.run({ program: '' })).toMatchObject({ value: 'é' })
  await runtime.dispose()
})
