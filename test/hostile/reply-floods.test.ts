import { describe, expect, it } from 'vitest'
import { said, useHostProcess } from '../support/host-process.js'

describe('replies that pile up', () => {
  const host = useHostProcess()
  const measured = (program: string, tools: string, limits = '{ maxWallMs: 2500 }') => `
    let peakMb = 0
    const rss = () => process.memoryUsage.rss() / 1048576
    await runOnce('return 1')
    const before = rss()
    setInterval(() => { peakMb = Math.max(peakMb, rss() - before) }, 5).unref()
    const { value, error, usage } = await runOnce(${JSON.stringify(program)}, ${limits}, ${tools})
    say({ value, kind: error?.kind, outMb: Math.round(usage.bytesOut / 1048576), peakMb: Math.round(peakMb) })`

  it('eight of 4 MiB at once arrive', async () => {
    const end = await host(
      measured(
        `const all = await Promise.all(Array.from({ length: 8 }, () => tools.big())); return all.map((text) => text.length)`,
        `{ big: () => 'x'.repeat(4 << 20) }`,
      ),
    )
    expect(said(end)).toMatchObject([{ value: Array(8).fill(4 << 20), outMb: 32 }])
  })

  it('of which none is read are not written', async () => {
    const end = await host(
      measured(`for (let i = 0; i < 200; i++) tools.big(); for (;;) {}`, `{ big: () => 'x'.repeat(4 << 20) }`),
    )
    const [result] = said(end) as [{ kind: string; outMb: number; peakMb: number }]
    expect(result.kind).toBe('timeout')
    expect(result.outMb).toBeLessThan(10)
    expect(result.peakMb).toBeLessThan(200)
  })

  it('are not written because a program says that it read', async () => {
    const end = await host(
      measured(
        `const { parentPort } = await import('node:worker_threads')
         const port = process._getActiveHandles().find((handle) => handle.dispatchEvent) ?? parentPort
         for (let i = 0; i < 200; i++) { tools.big(); const end = Date.now() + 8; while (Date.now() < end); for (let k = 0; k < 20; k++) port.dispatchEvent?.(new MessageEvent('message', { data: '{}' })) }
         for (;;) {}`,
        `{ big: () => 'x'.repeat(4 << 20) }`,
      ),
    )
    const [result] = said(end) as [{ outMb: number; peakMb: number }]
    expect(result.outMb).toBeLessThan(10)
    expect(result.peakMb).toBeLessThan(200)
  })

  it('1,500 of 64 KiB arrive when they are read late', async () => {
    const end = await host(
      measured(
        `const all = Array.from({ length: 1024 }, () => tools.some()); const end = Date.now() + 200; while (Date.now() < end); return (await Promise.all(all)).length`,
        `{ some: () => 'x'.repeat(1 << 16) }`,
        '{ maxWallMs: 20000 }',
      ),
    )
    expect(said(end)).toMatchObject([{ value: 1_024 }])
  })

  it('a binding whose error is too large to be written ends neither the run nor the host', async () => {
    const end = await host(
      `const huge = () => { throw new Error('\\0'.repeat(9e7)) }
       const { value, error } = await runOnce('try { await tools.huge() } catch (error) { return typeof error.message }', { maxWallMs: 8000 }, { huge })
       say(value ?? error.kind)`,
      { deadlineMs: 20_000 },
    )
    expect(end.stderr).not.toContain('HOST')
    expect(said(end)).toEqual([expect.stringMatching(/string|worker-exit/)])
  })

  it('names of unknown members do not keep what they were cut from', async () => {
    const end = await host(
      `const program = ${JSON.stringify(`const { parentPort } = await import('node:worker_threads'); const name = 'n'.repeat(8 << 20); for (let id = 0; id < 24; id++) { parentPort.postMessage(JSON.stringify({ type: 'call', id, global: 'tools', name, args: null })); await new Promise((done) => setTimeout(done, 5)) } return 1`)}
       await runOnce('return 1'); gc()
       const before = process.memoryUsage().heapUsed
       const result = await runOnce(program)
       await new Promise((done) => setTimeout(done, 20)); gc()
       say([result.calls.length > 5, Math.round((process.memoryUsage().heapUsed - before) / 1048576)])`,
      { nodeArgs: ['--expose-gc'] },
    )
    const [[hasCalls, keptMb]] = said(end) as [[boolean, number]]
    expect(hasCalls).toBe(true)
    expect(keptMb).toBeLessThan(20)
  })
})
