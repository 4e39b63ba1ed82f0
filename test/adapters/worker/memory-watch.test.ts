import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { MemoryWatch, v8LimitMb, watchLimitMb } from '../../../src/adapters/worker/memory-watch.js'
import { MIB } from '../../../src/domain/units.js'

describe('the limits of memory', () => {
  it.each([
    [1, 129],
    [64, 192],
    [512, 640],
    [600, 640],
    [608, 640],
    [700, 732],
    [4_096, 4_128],
  ])('a cap of %d MB is watched at %d MB', (capMb, watchedMb) => {
    expect(watchLimitMb(capMb)).toBe(watchedMb)
  })

  it.each([0.5, 1, 64, 512, 4_096, 1e300])(
    'the limit of V8 for %d MB is an integer above the watch that Node takes',
    (capMb) => {
      const limit = v8LimitMb(capMb)
      expect(Number.isInteger(limit)).toBe(true)
      expect(limit).toBeLessThanOrEqual(1_048_576)
      if (capMb < 1e5) expect(limit).toBeGreaterThanOrEqual(watchLimitMb(capMb) * 3)
    },
  )
})

describe('MemoryWatch', () => {
  const run = (capMb: number, threadId: number | undefined = undefined) => ({ capMb, threadId: () => threadId })

  it('knows nothing of a run that is not watched', () => {
    const watch = new MemoryWatch()
    expect(watch.addedBytes(run(1))).toBe(0)
  })

  it('never tells a negative figure', () => {
    const watch = new MemoryWatch()
    const watched = run(1e6)
    watch.begin(watched)
    expect(watch.addedBytes(watched)).toBeGreaterThanOrEqual(0)
    watch.end(watched)
    expect(watch.addedBytes(watched)).toBe(0)
  })

  it('shares growth evenly where threads cannot be told apart', () => {
    const watch = new MemoryWatch()
    const [one, two] = [run(0), run(0)]
    watch.begin(one)
    watch.begin(two)
    const kept = Buffer.alloc(64 * MIB, 1)
    const added = watch.addedBytes(one)
    expect(added).toBeGreaterThan(16 * MIB)
    watch.end(two)
    expect(watch.addedBytes(one)).toBeGreaterThan(added)
    expect(kept.length).toBe(64 * MIB)
  })

  it.skipIf(process.platform !== 'linux')('blames no thread for what it touched before its run', async () => {
    const worker = new Worker(
      `const { parentPort } = require('node:worker_threads')
       const { readlinkSync } = require('node:fs')
       parentPort.once('message', () => {})
       parentPort.postMessage(Number(readlinkSync('/proc/thread-self').split('/').at(-1)))`,
      { eval: true },
    )
    try {
      const [threadId] = (await once(worker, 'message')) as [number]
      const watch = new MemoryWatch()
      const waiting = run(0, threadId)
      watch.begin(waiting)
      const kept = Buffer.alloc(64 * MIB, 1)
      expect(watch.addedBytes(waiting)).toBeLessThan(MIB)
      expect(kept.length).toBe(64 * MIB)
    } finally {
      await worker.terminate()
    }
  })
})
