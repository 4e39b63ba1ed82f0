import { describe, expect, it } from 'vitest'
import { said, useHostProcess } from '../support/host-process.js'

// The port itself, where the program finds a stand-in for it.
const PORT = `const { MessageChannel, MessagePort, ...threads } = await import('node:worker_threads');
const parentPort = process._getActiveHandles().find((handle) => handle instanceof MessagePort) ?? threads.parentPort;`

describe('messages that are no text', () => {
  const host = useHostProcess()

  it('a small value that is large when it is read does not exhaust the host', async () => {
    const program = `${PORT} const text = 'x'.repeat(2 ** 20); parentPort.postMessage(new Array(600).fill(text)); return 1`
    const end = await host(
      `const { error, value } = await runOnce(${JSON.stringify(program)}, { maxHeapMb: 64 })
       await new Promise((done) => setTimeout(done, 1000))
       say([value ?? error.kind, (await runOnce('return 1')).value])`,
      { nodeArgs: ['--max-old-space-size=400'] },
    )
    expect(said(end)).toEqual([[expect.anything(), 1]])
  })

  it('ports that are handed over do not pile up in the host', async () => {
    const program = `${PORT} for (let i = 0; i < 5000; i++) { const { port1, port2 } = new MessageChannel(); parentPort.postMessage(0, [port1, port2]) } return 1`
    const end = await host(
      `const memory = () => { gc(); return process.memoryUsage().rss / 1048576 }
       await runOnce('return 1')
       const before = memory()
       for (let i = 0; i < 4; i++) await runOnce(${JSON.stringify(program)})
       say(Math.round(memory() - before))`,
      { nodeArgs: ['--expose-gc'] },
    )
    const [grownMb] = said(end) as [number]
    expect(grownMb).toBeLessThan(60)
  })

  it('a file handle that is handed over is no warning in the host', async () => {
    const program = `${PORT} const { open } = await import('node:fs/promises'); for (let i = 0; i < 3; i++) { const handle = await open('/dev/null'); parentPort.postMessage(handle, [handle]) } return 1`
    const end = await host(
      `say((await runOnce(${JSON.stringify(program)})).value ?? null)
       for (let i = 0; i < 5; i++) { gc(); await new Promise((done) => setTimeout(done, 20)) }`,
      { nodeArgs: ['--expose-gc'] },
    )
    expect(end.stderr).not.toContain('HOST')
    expect(said(end)).toHaveLength(1)
  })

  it.each([
    [
      'what cannot be read',
      `const { X509Certificate, generateKeyPairSync } = await import('node:crypto'); parentPort.postMessage(generateKeyPairSync('ed25519').privateKey)`,
    ],
    ['a blob', `parentPort.postMessage(new Blob(['x']))`],
    [
      'a WebAssembly module',
      `parentPort.postMessage(new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])))`,
    ],
    ['shared memory', `parentPort.postMessage(new SharedArrayBuffer(1024))`],
    ['its own port', `try { parentPort.postMessage(0, [parentPort]) } catch {}`],
    ['a broadcast channel that is never closed', `new BroadcastChannel('x').postMessage(1)`],
    [
      'a port that answers',
      `const { port1, port2 } = new MessageChannel(); parentPort.postMessage(port1, [port1]); port2.postMessage('x'); port2.ref()`,
    ],
  ])('%s changes nothing', async (_title, post) => {
    const end = await host(
      `say((await runOnce(${JSON.stringify(`${PORT} ${post}; return 1`)})).value ?? null); say((await runOnce('return 2')).value)`,
    )
    expect(end.stderr).not.toContain('HOST')
    expect(said(end)).toEqual([1, 2])
  })
})
