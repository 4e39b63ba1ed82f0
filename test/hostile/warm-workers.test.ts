import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createCodeRuntime } from '../../src/index.js'
import { said, useHostProcess } from '../support/host-process.js'
import { useRuntime } from '../support/runtimes.js'

describe('prepared workers', () => {
  const host = useHostProcess()
  const { run } = useRuntime({ warm: 2 })

  it('are used once', async () => {
    const seen = new Set<unknown>()
    for (let i = 0; i < 8; i += 1) {
      const { value } = await run(
        `const { threadId } = await import('node:worker_threads'); const used = globalThis.used ?? false; globalThis.used = true; return [threadId, used]`,
      )
      const [thread, used] = value as [number, boolean]
      expect(used).toBe(false)
      seen.add(thread)
    }
    expect(seen.size).toBe(8)
  })

  it('show a program nothing of what they did while they waited', async () => {
    const program = `return [Object.getOwnPropertyNames(globalThis).toSorted(), await mine.call({ n: 1 })]`
    const bindings = [{ global: 'mine', functions: { call: async (args: unknown) => args } }]
    await using cold = await createCodeRuntime({ warm: 0 })
    const { value, logs, calls } = await cold.run({ program, bindings })
    for (let i = 0; i < 3; i += 1) {
      // Time to rehearse, if it takes it.
      await pause(60)
      const result = await run(program, { bindings })
      expect([result.value, result.logs, result.calls.length]).toEqual([value, logs, calls.length])
      expect(result.calls[0]).toMatchObject({ id: 0, name: 'call', argsBytes: calls[0]?.argsBytes })
    }
  })

  it.each([
    ['none', 0],
    ['one', 1],
    ['four', 4],
  ])('%s of them keep the process alive', async (_title, warm) => {
    const end = await host(
      `const runtime = await createCodeRuntime({ warm: ${warm} })
       for (let i = 0; i < 2; i++) say((await runtime.run({ program: 'return await 1' })).value)
       const timer = setTimeout(() => { console.error('HOST still here'); process.exit(95) }, 4000)
       timer.unref()
       await new Promise((done) => setTimeout(done, 300))`,
      { deadlineMs: 8_000 },
    )
    expect([end.code, end.stderr]).toEqual([0, ''])
    expect(said(end)).toEqual([1, 1])
  })

  it('a run that only waits for the host keeps the process alive', async () => {
    const end = await host(
      `const runtime = await createCodeRuntime({ warm: 1 })
       await runtime.run({ program: 'return 1' })
       await new Promise((done) => setTimeout(done, 200))
       const result = await runtime.run({ program: 'await new Promise((done) => setTimeout(done, 300)); return 5' })
       say(result.value)
       await runtime.dispose()`,
    )
    expect(said(end)).toEqual([5])
  })

  it('end with the runtime', async () => {
    const end = await host(
      `const workers = () => process._getActiveHandles().length
       const threads = async () => (await import('node:fs')).readdirSync('/proc/self/task').length
       const before = await threads()
       const runtime = await createCodeRuntime({ warm: 4 })
       await runtime.run({ program: 'return 1' })
       await new Promise((done) => setTimeout(done, 500))
       const during = await threads()
       await runtime.dispose()
       await new Promise((done) => setTimeout(done, 200))
       say([during - before >= 4, (await threads()) - before <= 1])`,
    )
    if (process.platform === 'linux') expect(said(end)).toEqual([[true, true]])
  })

  it('of a runtime that is disposed while they boot are ended too', async () => {
    const end = await host(
      `for (let i = 0; i < 5; i++) {
         const runtime = await createCodeRuntime({ warm: 3 })
         await runtime.run({ program: 'return 1' })
         await runtime.dispose()
       }
       say('done')`,
    )
    expect([said(end), end.stderr]).toEqual([['done'], ''])
  })
})
