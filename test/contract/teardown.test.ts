import { describe, expect } from 'vitest'
import { TOOLS } from '../support/runtimes.js'
import { onEveryBackend } from './backends.js'

onEveryBackend((backend) => {
  describe('settlement', () => {
    const run = backend.use({ maxWallMs: 10_000 })

    backend.it(
      'counts a completion written just before an exit',
      {
        typescript: `const { parentPort } = await import('node:worker_threads'); parentPort.postMessage('{"type":"done","value":5}'); process.exit(3)`,
        python: `import os\nos.write(3, b'{"type":"done","value":5}\\n')\nos._exit(3)`,
      },
      async (program) => {
        expect(await run(program)).toMatchObject({ value: 5 })
      },
    )

    backend.it(
      'is not held up by what the program left running',
      {
        typescript: `setInterval(() => {}, 10); tools.hang(); const { createServer } = await import('node:net'); createServer().listen(0); return 1`,
        python: `import subprocess\nsubprocess.Popen(['sleep', '60'])\nreturn 1`,
      },
      async (program) => {
        const { value, usage } = await run(program, { tools: TOOLS })
        expect(value).toBe(1)
        expect(usage.wallMs).toBeLessThan(5_000)
      },
    )

    backend.it(
      'a late throw after the return changes nothing',
      {
        typescript: `setTimeout(() => { throw new Error('late') }, 1); setImmediate(() => { throw new Error('late') }); process.nextTick(() => { Promise.reject(new Error('late')) }); return 1`,
      },
      async (program) => {
        expect(await run(program)).toMatchObject({ value: 1 })
      },
    )
  })

  backend.it(
    'what a runtime leaves behind is nothing',
    { typescript: 'return await tools.one()', python: 'return await tools.one()' },
    async (program) => {
      // The test runner comes and goes with timers of its own; test/hostile/growth.test.ts counts those.
      const resources = () => process.getActiveResourcesInfo().filter((name) => name !== 'Timeout')
      const before = resources()
      const listeners = () => process.eventNames().map((name) => [name, process.listenerCount(name)])
      const heard = listeners()
      for (const warm of [0, 2]) {
        const runtime = await backend.create(backend.warm(warm))
        for (let i = 0; i < 3; i += 1) await runtime.run({ program, bindings: [{ global: 'tools', functions: TOOLS }] })
        await runtime.dispose()
      }
      await new Promise((resolve) => setImmediate(resolve))
      expect(resources()).toEqual(before)
      expect(listeners()).toEqual(heard)
    },
  )
})
