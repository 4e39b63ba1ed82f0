import { describe, expect, test } from 'vitest'
import { CpuMeter } from '../../../src/adapters/python/cpu-meter.js'
import { PythonGuest } from '../../../src/adapters/python/python-guest.js'
import type { Clock, GuestExit, GuestSink, ProcessIdentity, ResolvedLimits } from '../../../src/index.js'
import { FakeProcessControl, ManualClock } from '../../../src/testing.js'
import { soon, turn } from '../../support/turn.js'

const LIMITS = { cpuSeconds: 2, graceMs: 3_000 } as ResolvedLimits

interface Heard {
  readonly frames: string[]
  readonly stray: string[]
  readonly budgets: string[]
  readonly gone: GuestExit[]
}

/** A guest whose process, clock and staged file are the test's. */
const setUp = (control = new FakeProcessControl()) => {
  const clock = new ManualClock()
  const staged = {
    path: '/staged/guest.pyc',
    folder: '/staged',
    removals: 0,
    removeFile: () => {},
    remove: () => {
      staged.removals += 1
    },
  }
  const process = control.spawn({ file: '', args: [], env: {}, cwd: '/', frameCapBytes: 1_000 })
  const guest = new PythonGuest({ process, staged, limits: LIMITS, clock, processControl: control })
  const heard: Heard = { frames: [], stray: [], budgets: [], gone: [] }
  const sink: GuestSink = {
    frame: (text) => heard.frames.push(text),
    overflow: () => {},
    stray: (stream, chunk) => heard.stray.push(`${stream}: ${Buffer.from(chunk)}`),
    budget: (message) => heard.budgets.push(message),
    broken: () => {},
    gone: (exit) => heard.gone.push(exit),
  }
  /** Lets `ms` pass, and what follows from it. */
  const pass = async (ms = 0): Promise<void> => {
    await turn()
    clock.advance(ms)
    for (let i = 0; i < 3; i += 1) {
      await turn()
      clock.endTurn()
    }
  }
  return { guest, process, control, clock, staged, heard, sink, pass }
}

const started = (control?: FakeProcessControl) => {
  const all = setUp(control)
  all.guest.start(all.sink)
  return all
}

const deaf = (...to: ('SIGTERM' | 'SIGKILL')[]): FakeProcessControl => {
  const control = new FakeProcessControl()
  control.deadlySignals = (['SIGTERM', 'SIGKILL'] as const).filter((signal) => !to.includes(signal))
  return control
}

describe('a stopped guest', () => {
  test('gets SIGTERM, and when it obeys nothing else', async () => {
    const { guest, process, control, heard, staged, pass, clock } = started()
    guest.stop('timeout')
    guest.stop('timeout')
    await pass()
    expect([process.signals, heard.gone]).toEqual([['SIGTERM'], [{ type: 'killed', signal: 'SIGTERM' }]])
    await guest.ended
    expect([control.endedDescendantsOf, staged.removals > 0, clock.pendingTimers]).toEqual([[1_000], true, 0])
  })

  test('that is deaf gets SIGKILL after the grace', async () => {
    const { guest, process, heard, pass } = started(deaf('SIGTERM'))
    guest.stop('timeout')
    await pass(2_999)
    expect([process.signals, heard.gone]).toEqual([['SIGTERM'], []])
    await pass(1)
    expect([process.signals, heard.gone]).toEqual([['SIGTERM', 'SIGKILL'], [{ type: 'killed', signal: 'SIGKILL' }]])
  })

  test('that does not die keeps no file', async () => {
    const { guest, staged, heard, pass } = started(deaf('SIGTERM', 'SIGKILL'))
    guest.stop('abort')
    await pass(3_000)
    expect([staged.removals, heard.gone, await soon(guest.ended)]).toEqual([1, [], 'still pending'])
  })

  test('leaves its descendants what is left of the grace', async () => {
    const graces: number[] = []
    class Control extends FakeProcessControl {
      override async endDescendants(_root: ProcessIdentity, graceMs = -1): Promise<void> {
        graces.push(graceMs)
      }
    }
    const control = new Control()
    control.deadlySignals = ['SIGKILL']
    const { guest, process, pass } = started(control)
    guest.stop('abort')
    await pass(1_000)
    process.exit({ code: 0, signal: null })
    await pass()
    await guest.ended
    expect(graces).toEqual([2_000])
  })

  test('that has answered is told gone when what it wrote was read, and has ended when its process has', async () => {
    const { guest, process, clock, staged, heard, pass } = started(deaf('SIGTERM'))
    process.stdout.push('late')
    guest.stop('completed')
    expect([staged.removals > 0, heard.gone]).toEqual([true, []])
    for (let i = 0; i < 8; i += 1) {
      await turn()
      clock.endTurn()
    }
    expect([heard.stray, heard.gone]).toEqual([['stdout: late'], [{ type: 'exited', code: 0 }]])
    expect(await soon(guest.ended)).toBe('still pending')
    await pass(3_000)
    await guest.ended
    expect([process.signals, heard.gone.length]).toEqual([['SIGTERM', 'SIGKILL'], 1])
  })

  test('that has answered and goes on writing is told gone when its process has ended', async () => {
    const { guest, process, clock, heard, pass } = started(deaf('SIGTERM'))
    guest.stop('completed')
    for (let i = 0; i < 40; i += 1) {
      process.stdout.push('more')
      await turn()
      clock.endTurn()
    }
    expect(heard.gone).toEqual([])
    await pass(3_000)
    await guest.ended
    expect(heard.gone.length).toBe(1)
  })

  test('that has not answered is not told gone by the end of its output', async () => {
    const { guest, process, heard, pass } = started(deaf('SIGTERM'))
    for (const stream of [process.stdout, process.stderr]) stream.push(null)
    guest.stop('timeout')
    await pass(2_999)
    expect(heard.gone).toEqual([])
    await pass(1)
    expect(heard.gone).toEqual([{ type: 'killed', signal: 'SIGKILL' }])
  })

  test.each(['completed', 'exception', 'invalid-output', 'output-limit'] as const)(
    'that said itself how it ended (%s) sees the end of its channel',
    (reason) => {
      const { guest, process } = started(deaf('SIGTERM'))
      guest.stop(reason)
      expect(process.channel.isClosed).toBe(true)
    },
  )

  test.each(['abort', 'timeout', 'worker-exit'] as const)(
    'on the way (%s) may use its channel to the end',
    (reason) => {
      const { guest, process } = started(deaf('SIGTERM'))
      guest.stop(reason)
      expect(process.channel.isClosed).toBe(false)
    },
  )

  test('before its start is ended all the same', async () => {
    const { guest, process } = setUp()
    guest.stop()
    await guest.ended
    expect(process.signals).toEqual(['SIGTERM'])
  })
})

describe('a guest that exits', () => {
  const EXIT = { code: 3, signal: null }

  test('is gone when its streams are closed: what it wrote before counts', async () => {
    const { process, heard, pass } = started()
    process.exit(EXIT, { holdsPipes: true })
    await pass()
    process.channel.receive({ type: 'done' })
    process.stdout.write('late')
    expect(heard.gone).toEqual([])
    process.close()
    await pass()
    expect(heard).toMatchObject({
      frames: ['{"type":"done"}'],
      stray: ['stdout: late'],
      gone: [{ type: 'exited', code: 3 }],
    })
  })

  test('while others hold its pipes is gone when they are quiet', async () => {
    const { process, heard, pass } = started()
    process.exit(EXIT, { holdsPipes: true })
    await pass(99)
    expect(heard.gone).toEqual([])
    process.stderr.write('x')
    await pass(1)
    await pass(99)
    expect(heard.gone).toEqual([])
    await pass(1)
    expect([heard.gone, process.stdout.destroyed, process.stderr.destroyed]).toEqual([
      [{ type: 'exited', code: 3 }],
      true,
      true,
    ])
  })

  test('while others write without end is gone after the content of its pipes', async () => {
    const { process, heard, pass } = started()
    process.exit(EXIT, { holdsPipes: true })
    await pass(50)
    for (let i = 0; i < 17; i += 1) process.stdout.write('x'.repeat(65_536))
    await pass(50)
    expect(heard.gone).toHaveLength(1)
  })

  test('while others write little by little is gone with the bound of a stop', async () => {
    const { process, heard, pass } = started()
    process.exit(EXIT, { holdsPipes: true })
    await pass(50)
    for (let ms = 50; ms < 4_950; ms += 100) {
      process.stdout.write('x')
      await pass(100)
    }
    expect(heard.gone).toEqual([])
    process.stdout.write('x')
    await pass(100)
    expect(heard.gone).toHaveLength(1)
  })

  test('by itself takes its descendants with it', async () => {
    const { guest, process, control, pass } = started()
    process.exit(EXIT)
    await pass()
    await guest.ended
    expect([process.signals, control.endedDescendantsOf]).toEqual([['SIGTERM'], [1_000]])
  })

  test('by SIGXCPU has spent its budget', async () => {
    const { process, heard, pass } = started()
    process.exit({ code: null, signal: 'SIGXCPU' })
    await pass()
    expect([heard.budgets, heard.gone]).toEqual([
      [expect.stringMatching(/^CPU time exhausted.* 2 s \(cpuSeconds\)$/)],
      [{ type: 'killed', signal: 'SIGXCPU' }],
    ])
  })

  test.each(['SIGKILL', 'SIGTERM', 'SIGSEGV'] as const)('by an unsolicited %s has spent none', async (signal) => {
    const { process, heard, pass } = started()
    process.exit({ code: null, signal })
    await pass()
    expect([heard.budgets, heard.gone]).toEqual([[], [{ type: 'killed', signal }]])
  })
})

test('a process that could not be started is gone at once, and its file with it', async () => {
  const control = new FakeProcessControl()
  control.startFailure = new Error('spawn /bin/python3 ENOENT')
  const { guest, heard, staged, pass, clock } = started(control)
  await pass()
  await guest.ended
  expect(heard.gone).toEqual([{ type: 'failed-to-start', message: 'spawn error: spawn /bin/python3 ENOENT' }])
  expect([staged.removals > 0, clock.pendingTimers, guest.usage()]).toEqual([
    true,
    0,
    { cpuMs: null, peakMemoryBytes: null },
  ])
})

test.each(['signalGroup', 'endDescendants'] as const)(
  'a process control that throws in %s harms nobody',
  async (name) => {
    const { guest, process, control, staged, pass } = started()
    control[name] = () => {
      throw new Error('no')
    }
    guest.stop('abort')
    process.exit({ code: 0, signal: null })
    await pass()
    await guest.ended
    expect(staged.removals > 0).toBe(true)
  },
)

describe('CPU time', () => {
  test('is sampled, and ends the run when it is spent', async () => {
    const { control, heard, clock, guest } = started()
    await turn()
    control.usage = { cpuMs: 2_000, peakMemoryBytes: 5 }
    clock.advance(1_000)
    expect([heard.budgets, guest.usage()]).toEqual([[], { cpuMs: 2_000, peakMemoryBytes: 5 }])
    control.usage = { cpuMs: 2_010, peakMemoryBytes: null }
    clock.advance(100)
    expect([heard.budgets, guest.usage()]).toEqual([
      [expect.stringMatching('cpuSeconds')],
      { cpuMs: 2_010, peakMemoryBytes: 5 },
    ])
    clock.advance(1_000)
    expect([heard.budgets.length, clock.pendingTimers]).toEqual([1, 0])
  })

  test('that cannot be measured ends nothing', () => {
    const { heard, clock } = started()
    clock.advance(100_000)
    expect(heard.budgets).toEqual([])
  })

  test.each([
    [1, 100],
    [10, 200],
    [50, 1_000],
    [500, 1_000],
  ])('is sampled more seldom when a look at it takes long: after %d ms, in %d ms', (lookMs, nextMs) => {
    const delaysMs: number[] = []
    const timesMs = [1_000, 1_000 + lookMs]
    let fire = (): void => {}
    const clock: Clock = {
      now: () => timesMs.shift() ?? 0,
      after: (ms, run) => {
        delaysMs.push(ms)
        fire = run
        return () => {}
      },
      afterTurn: () => {},
    }
    const identity = { pid: 1, startTime: '1', mark: '' }
    const meter = new CpuMeter({
      process: { identity },
      cpuSeconds: 1,
      clock,
      processControl: new FakeProcessControl(),
    })
    meter.start(() => {})
    fire()
    expect(delaysMs).toEqual([100, nextMs])
  })

  test('is measured a last time when the run is decided', () => {
    const { control, guest } = started()
    control.usage = { cpuMs: 70, peakMemoryBytes: 5 }
    guest.stop('completed')
    control.usage = { cpuMs: 90, peakMemoryBytes: 6 }
    guest.stop('completed')
    expect(guest.usage()).toEqual({ cpuMs: 70, peakMemoryBytes: 5 })
  })

  test('is measured when the streams of a guest that was not stopped end', async () => {
    const { control, guest, process } = started()
    await turn()
    control.usage = { cpuMs: 70, peakMemoryBytes: 5 }
    process.stdout.end()
    await turn()
    expect(guest.usage()).toEqual({ cpuMs: 70, peakMemoryBytes: 5 })
  })
})
