import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { afterEach, describe, expect, test } from 'vitest'
import { PipeTransport } from '../../../src/adapters/process/pipe-transport.js'
import { until } from '../../support/processes.js'

const CAP = 1_000_000
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

interface Peer {
  readonly transport: PipeTransport
  readonly pipe: Duplex
  readonly frames: string[]
  readonly overflows: number[]
  readonly child: ChildProcess
}

/** A Python process at the other end of descriptor 3. */
const peer = (python: string, capBytes = CAP): Peer => {
  const child = spawn('python3', ['-I', '-S', '-c', `import os, time, socket\n${python}`], {
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
  })
  children.push(child)
  const pipe = child.stdio[3] as Duplex
  const transport = new PipeTransport(pipe, capBytes)
  const frames: string[] = []
  const overflows: number[] = []
  transport.open({ frame: (text) => frames.push(text), overflow: (cap) => overflows.push(cap) })
  return { transport, pipe, frames, overflows, child }
}

/** A pipe that takes writes as the test says. */
class ScriptedPipe extends Duplex {
  readonly waiting: ((error?: Error) => void)[] = []
  override _read(): void {}
  override _write(_chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.waiting.push(done)
  }
}

describe('what comes', () => {
  test.each<[string, string, string[]]>([
    ['whole', `os.write(3, b'"a"\\n"b"\\n')`, ['"a"', '"b"']],
    ['in pieces', `for c in b'"a"\\n"b"\\n': os.write(3, bytes([c])); time.sleep(0.001)`, ['"a"', '"b"']],
    ['with empty lines between', `os.write(3, b'\\n\\n"a"\\n\\n')`, ['"a"']],
    ['unterminated', `os.write(3, b'"a"\\n"b"')`, ['"a"']],
    ['as illegal UTF-8 in one of the lines', `os.write(3, b'"\\xff"\\n"\\xed\\xa0\\x80"\\n"a"\\n')`, ['"a"']],
  ])('%s is delivered by lines', async (_title, python, expected) => {
    const { frames, child } = peer(python)
    await once(child, 'close')
    expect(frames).toEqual(expected)
  })

  test('of the very size of the cap is delivered, and one byte more ends it', async () => {
    const fits = peer(`os.write(3, b'x' * 100 + b'\\n')`, 100)
    const over = peer(`os.write(3, b'"a"\\n' + b'x' * 101 + b'\\n"b"\\n')`, 100)
    await Promise.all([once(fits.child, 'close'), once(over.child, 'close')])
    expect([fits.frames[0]?.length, fits.overflows]).toEqual([100, []])
    expect([over.frames, over.overflows, over.pipe.destroyed]).toEqual([['"a"'], [100], true])
  })
})

describe('what is sent', () => {
  test('is taken at once while the pipe has room', () => {
    const pipe = new ScriptedPipe()
    const transport = new PipeTransport(pipe, CAP)
    const taken: unknown[] = []
    transport.send('1', (failure) => taken.push(failure))
    expect(taken).toEqual([undefined])
  })

  test('is taken when the pipe has drained', async () => {
    const pipe = new ScriptedPipe({ writableHighWaterMark: 1 })
    const transport = new PipeTransport(pipe, CAP)
    const taken: unknown[] = []
    transport.send('1', (failure) => taken.push(failure))
    expect(taken).toEqual([])
    await until(() => pipe.waiting.length > 0, 'the text is written')
    pipe.waiting.shift()?.()
    await until(() => taken.length > 0, 'the text is taken')
    expect([taken, pipe.listenerCount('drain')]).toEqual([[undefined], 0])
  })

  test('to a pipe that throws is reported', () => {
    const pipe = new ScriptedPipe()
    pipe.write = () => {
      throw new Error('no')
    }
    const taken: (Error | undefined)[] = []
    new PipeTransport(pipe, CAP).send('1', (failure) => taken.push(failure))
    expect(taken.map((failure) => failure?.message)).toEqual(['no'])
  })

  test('to a pipe that was full and is closed leaves no listener', () => {
    const pipe = new ScriptedPipe({ writableHighWaterMark: 1 })
    const transport = new PipeTransport(pipe, CAP)
    const before = pipe.listenerCount('drain')
    const taken: unknown[] = []
    transport.send('1', (failure) => taken.push(failure))
    transport.close()
    transport.close()
    transport.send('2', (failure) => taken.push(failure))
    expect([taken, pipe.listenerCount('drain'), pipe.listenerCount('close'), before, pipe.destroyed]).toEqual([
      [],
      0,
      0,
      0,
      true,
    ])
  })

  test('to a guest that is gone throws nowhere, and what it wrote before is delivered', async () => {
    const { transport, frames, child, pipe } = peer(`os.write(3, b'"last words"\\n'); print(1, flush=True)`)
    // The event loop does not turn until the guest has exited, so nothing can have been read.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500)
    for (let i = 0; i < 3; i += 1) transport.send('{}', () => {})
    await once(child, 'close')
    expect([frames, pipe.destroyed]).toEqual([['"last words"'], true])
  })

  test('to a guest that does not read any more but writes on ends after one pipe of it', async () => {
    const { transport, pipe, frames } =
      peer(`s = socket.socket(fileno=3); s.shutdown(socket.SHUT_RD); s.sendall(b'"ready"\\n')
while True: s.send(b'"x"\\n' * 1000)`)
    await until(() => frames.length > 0, 'it writes')
    transport.send('{}', () => {})
    await until(() => pipe.destroyed, 'the pipe is destroyed')
  })

  test('to a guest that resets the channel throws nowhere', async () => {
    const { transport, child, pipe } = peer(`os.read(0, 1); os._exit(0)`)
    for (let i = 0; i < 10; i += 1) transport.send('x'.repeat(1_000), () => {})
    child.stdin?.end()
    await once(child, 'close')
    expect(pipe.destroyed).toBe(true)
  })
})
