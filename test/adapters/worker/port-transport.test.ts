import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { consumedMessages, newControlBlock } from '../../../src/adapters/worker/control-block.js'
import { PortTransport } from '../../../src/adapters/worker/port-transport.js'

// Answers each message with its length; takes none while `go` is 0.
const PROGRAM = `
const { parentPort, workerData: { control, gate } } = require('node:worker_threads')
parentPort.on('message', (text) => {
  Atomics.wait(gate, 0, 0)
  Atomics.add(control, 0, 1)
  Atomics.notify(control, 0)
  parentPort.postMessage(text === 'say' ? 'x'.repeat(200) : String(text.length))
})
parentPort.postMessage({ not: 'a text' })
parentPort.postMessage('ready')`

const MEGABYTE = 'x'.repeat(1_048_576)

describe('PortTransport', () => {
  const workers: Worker[] = []
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.terminate()
  })

  const start = async (capBytes = 1_000) => {
    const control = newControlBlock()
    const gate = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(PROGRAM, { eval: true, workerData: { control, gate } })
    workers.push(worker)
    const transport = new PortTransport(worker, control, capBytes)
    const frames: (string | number)[] = []
    const waiting: (() => void)[] = []
    const heard = (frame: string | number): void => {
      frames.push(frame)
      for (const wake of waiting.splice(0)) wake()
    }
    transport.open({ frame: (text, bytes) => heard(`${text.slice(0, 10)}:${bytes}`), overflow: (cap) => heard(cap) })
    const count = async (wanted: number): Promise<void> => {
      while (frames.length < wanted) await new Promise<void>((wake) => waiting.push(wake))
    }
    const open = (): void => {
      Atomics.store(gate, 0, 1)
      Atomics.notify(gate, 0)
    }
    await count(1)
    return { worker, transport, frames, count, open, control }
  }

  it('delivers texts with their bytes, and nothing else', async () => {
    const { transport, frames, count, open } = await start()
    open()
    transport.send('é', () => {})
    await count(2)
    expect(frames).toEqual(['ready:5', '1:1'])
  })

  it('takes a megabyte at once and waits for the rest', async () => {
    const { transport, open, count, control } = await start()
    const sent: number[] = []
    transport.send(MEGABYTE, () => sent.push(1))
    expect(sent).toEqual([])
    open()
    await count(2)
    await new Promise((resolve) => setImmediate(resolve))
    expect([sent, consumedMessages(control)]).toEqual([[1], 1])
  })

  it('calls back at once while there is room', async () => {
    const { transport } = await start()
    const sent: number[] = []
    for (let i = 0; i < 10; i += 1) transport.send('x'.repeat(1_000), () => sent.push(i))
    expect(sent).toHaveLength(10)
  })

  it('tells of a frame over the cap once, and delivers nothing after it', async () => {
    const { transport, frames, count, open } = await start(100)
    open()
    transport.send('say', () => {})
    await count(2)
    transport.send('more', () => {})
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(frames).toEqual(['ready:5', 100])
  })

  it('is silent after close, also for a send that waits', async () => {
    const { transport, frames, open } = await start()
    const sent: string[] = []
    transport.send(MEGABYTE, () => sent.push('late'))
    transport.close()
    transport.close()
    open()
    transport.send('x', () => sent.push('never'))
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect([sent, frames]).toEqual([[], ['ready:5']])
  })

  it('reports a post that throws', async () => {
    const { transport, worker } = await start()
    for (const thrown of [new Error('no room'), 'just text']) {
      Object.assign(worker, {
        postMessage: () => {
          throw thrown
        },
      })
      const failures: (Error | undefined)[] = []
      transport.send('x', (failure) => failures.push(failure))
      expect(failures.map((failure) => failure?.message)).toEqual([thrown instanceof Error ? 'no room' : 'just text'])
    }
  })

  it('a worker that is gone takes texts without a throw', async () => {
    const { transport, worker } = await start()
    const gone = once(worker, 'exit')
    await worker.terminate()
    await gone
    expect(() => transport.send('x', () => {})).not.toThrow()
  })
})
