import { describe, expect, it } from 'vitest'
import { said, useHostProcess } from '../support/host-process.js'

/** A generous bound: what V8, libuv and malloc keep for themselves levels out far below it. */
const PLATEAU_MB = 80

describe('500 tiny runs', () => {
  const host = useHostProcess()

  it('leave no memory, no handle, no listener and no timer behind', async () => {
    const end = await host(
      `const runtime = await createCodeRuntime({ warm: 1 })
       const signal = new AbortController().signal
       const run = async (count) => {
         for (let i = 0; i < count; i += 4) {
           const results = await Promise.all([0, 1, 2, 3].map(() => runtime.run({ program: 'console.log("x"); return await tools.one()', signal, bindings: [{ global: 'tools', functions: TOOLS }] })))
           if (results.some(({ value }) => value !== 1)) throw new Error('run ' + i)
         }
       }
       const rss = () => { gc(); return process.memoryUsage.rss() / 1048576 }
       const resources = () => process.getActiveResourcesInfo().filter((name) => name !== 'Timeout').toSorted()
       const listeners = () => process.eventNames().map((name) => process.listenerCount(name)).join()
       await run(120)
       const before = { mb: rss(), resources: resources(), listeners: listeners() }
       await run(380)
       const grownMb = Math.round(rss() - before.mb)
       const same = JSON.stringify([resources(), listeners()]) === JSON.stringify([before.resources, before.listeners])
       await runtime.dispose()
       say({ grownMb, same, left: process.getActiveResourcesInfo().filter((name) => name !== 'PipeWrap') })`,
      { nodeArgs: ['--expose-gc'], deadlineMs: 60_000 },
    )
    const [result] = said(end) as [{ grownMb: number; same: boolean; left: string[] }]
    expect(result.grownMb).toBeLessThan(PLATEAU_MB)
    expect(result).toMatchObject({ same: true, left: [] })
    expect(end.stderr).toBe('')
  }, 60_000)
})
