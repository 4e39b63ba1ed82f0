import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { SystemClock } from '../../../src/adapters/system-clock.js'
import { WorkerLauncher } from '../../../src/adapters/worker/launcher.js'
import { MemoryWatch } from '../../../src/adapters/worker/memory-watch.js'
import { WorkerGuest } from '../../../src/adapters/worker/worker-guest.js'
import type { GuestExit } from '../../../src/domain/exit.js'
import { isLimitProblem, resolveLimits } from '../../../src/domain/limits.js'
import type { StopReason } from '../../../src/domain/run-events.js'
import { turn } from '../../support/turn.js'

const CAP = 67_108_864
const limits = resolveLimits({}, { isolation: 'worker-thread', frameCapBytes: CAP })
if (isLimitProblem(limits)) throw new Error('the defaults do not fit')
const ENTRY = fileURLToPath(new URL('../../../dist/worker-entry.cjs', import.meta.url))

const newGuest = (entry: string) => {
  let gone = 0
  const guest = new WorkerGuest({
    entry,
    clock: new SystemClock(),
    memoryWatch: new MemoryWatch(),
    limits,
    frameCapBytes: CAP,
    onGone: () => {
      gone += 1
    },
  })
  return { guest, goneCount: () => gone }
}

const SINK = { frame: () => {}, overflow: () => {}, stray: () => {}, budget: () => {}, broken: () => {} }

describe('WorkerGuest', () => {
  it('whose entry is not there is gone with the reason', async () => {
    const { guest, goneCount } = newGuest('/nowhere/entry.cjs')
    const exit = await new Promise<GuestExit>((resolve) => guest.start({ ...SINK, gone: resolve }))
    expect([exit.type, 'message' in exit && exit.message]).toEqual(['crashed', expect.stringContaining('/nowhere')])
    expect(goneCount()).toBe(1)
  })

  it('stops once, before and after its start, and keeps what it measured', async () => {
    const { guest, goneCount } = newGuest(ENTRY)
    const gone = new Promise<GuestExit>((resolve) => guest.start({ ...SINK, gone: resolve }))
    guest.stop()
    const usage = guest.usage()
    guest.stop()
    expect((await gone).type).toBe('exited')
    expect([guest.usage(), goneCount()]).toEqual([usage, 1])
  })

  it.each<[StopReason, string]>([
    ['completed', 'gone at once'],
    ['exception', 'gone at once'],
    ['invalid-output', 'gone at once'],
    ['output-limit', 'gone at once'],
    ['abort', 'gone with its thread'],
    ['timeout', 'gone with its thread'],
    ['worker-exit', 'gone with its thread'],
  ])('stopped for %s counts as %s', async (reason, expected) => {
    const { guest } = newGuest(ENTRY)
    const heard: string[] = []
    guest.start({ ...SINK, gone: () => heard.push('gone at once') })
    guest.stop(reason)
    if (heard.length === 0) heard.push('gone with its thread')
    await guest.ended
    await turn()
    expect(heard).toEqual(expected === 'gone at once' ? [expected] : [expected, 'gone at once'])
  })

  it('that was prepared and never used can be stopped', async () => {
    const { guest, goneCount } = newGuest(ENTRY)
    guest.unref()
    guest.stop()
    await guest.ended
    expect(goneCount()).toBe(1)
  })
})

describe('WorkerLauncher', () => {
  const transformer = {
    transform: async (program: string) =>
      program === 'bad'
        ? { ok: false as const, message: 'does not parse' }
        : { ok: true as const, code: `${program} // js` },
  }
  const newLauncher = (warm = 0) => new WorkerLauncher({ transformer, clock: new SystemClock(), warm })

  it('prepares by its transformer', async () => {
    const launcher = newLauncher()
    expect([await launcher.prepare('x'), await launcher.prepare('bad')]).toEqual([
      { ok: true, program: 'x // js' },
      { ok: false, message: 'does not parse' },
    ])
    await launcher.dispose()
  })

  it('gives a prepared guest once, and prepares none while a run is active or after it is disposed', async () => {
    const launcher = newLauncher(1)
    const options = { limits, frameCapBytes: CAP }
    const [first, second] = [launcher.launch(options), launcher.launch(options)] as WorkerGuest[]
    first?.stop()
    await first?.ended
    second?.stop()
    await second?.ended
    const third = launcher.launch(options) as WorkerGuest
    expect(new Set([first, second, third]).size).toBe(3)
    third.stop()
    await launcher.dispose()
    await launcher.dispose()
  })
})
