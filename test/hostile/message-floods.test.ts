import { describe, expect, it } from 'vitest'
import { said, useHostProcess } from '../support/host-process.js'

const FACADE = `const { parentPort } = await import('node:worker_threads');`
// The port itself, where the program finds a stand-in for it.
const PORT = `const { MessagePort, ...threads } = await import('node:worker_threads');
const parentPort = process._getActiveHandles().find((handle) => handle instanceof MessagePort) ?? threads.parentPort;`

describe('a flood of messages', () => {
  const host = useHostProcess()

  describe.each([
    ['by parentPort', FACADE],
    ['by the port itself', PORT],
  ])('%s', (_way, port) => {
    it.each([
      [
        'large frames that take long to parse',
        `const text = '[' + '0,'.repeat(2e7) + '0]'; for (let i = 0; i < 40; i++) parentPort.postMessage(text)`,
      ],
      [
        'large frames that do not parse',
        `const text = 'x'.repeat(3e7); for (let i = 0; i < 400; i++) parentPort.postMessage(text)`,
      ],
      ['small frames', `for (;;) parentPort.postMessage('')`],
      ['log frames', `for (;;) parentPort.postMessage('{"type":"log","text":"x"}')`],
      ['calls', `for (;;) tools.one({})`],
      [
        'calls of an unknown member',
        `for (let id = 0; ; id++) parentPort.postMessage(JSON.stringify({ type: 'call', id, global: 'tools', name: 'nope', args: null }))`,
      ],
      ['values that are no text', `for (;;) parentPort.postMessage([1])`],
    ])('%s neither stops the host nor outlives its budget', async (_title, flood) => {
      const end = await host(
        `const started = performance.now()
       let peakMb = 0
       setInterval(() => { peakMb = Math.max(peakMb, process.memoryUsage.rss() / 1048576) }, 10).unref()
       const { error } = await runOnce(${JSON.stringify(`${port} ${flood}; await new Promise(() => {})`)}, { maxWallMs: 1000, maxHeapMb: 128 })
       say({ kind: error.kind, ms: Math.round(performance.now() - started), lagMs: maxLagMs(), peakMb: Math.round(peakMb) })
       say((await runOnce('return 1')).value)`,
        { deadlineMs: 12_000 },
      )
      const [flooded, next] = said(end) as [{ kind: string; ms: number; lagMs: number; peakMb: number }, number]
      expect(flooded.kind).toMatch(/timeout|worker-exit/)
      expect(flooded.ms).toBeLessThan(6_000)
      expect(flooded.lagMs).toBeLessThan(2_000)
      expect(flooded.peakMb).toBeLessThan(1_500)
      expect(next).toBe(1)
    })
  })
})
