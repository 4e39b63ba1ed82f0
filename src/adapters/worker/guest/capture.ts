import { Console } from 'node:console'
import { Readable, Writable } from 'node:stream'
import type { OutputStream } from '../../../domain/outcome.js'
import { captureDescriptors } from './descriptors.js'
import { INSPECT_OPTIONS } from './inspect.js'
import { StreamText } from './stream-text.js'

export type Print = (stream: OutputStream, text: string) => void
const ProgramRangeError = RangeError

type Write = (stream: OutputStream, chunk: string | Uint8Array, encoding?: BufferEncoding) => void

export interface CapturedOutput {
  /** From now on what is printed goes here. */
  begin(print: Print): void
  /** Prints what is left of characters that were written in part. */
  end(): void
}

/** Replaces `console`, the process's streams and writes to descriptors 1 and 2 by one capture. */
export const captureOutput = (): CapturedOutput => {
  const texts = { stdout: new StreamText(), stderr: new StreamText() }
  let print: Print = () => {}
  // An error of the agent's own realm (a stack overflow in it) must not reach the program.
  const write: Write = (stream, chunk, encoding) => {
    try {
      print(stream, texts[stream].next(chunk, encoding))
    } catch {
      throw new ProgramRangeError('Maximum call stack size exceeded')
    }
  }
  replaceConsole(write)
  replaceStreams(write)
  captureDescriptors(write)
  return {
    begin: (agentPrint) => {
      print = agentPrint
    },
    end: () => {
      print('stdout', texts.stdout.end())
      print('stderr', texts.stderr.end())
    },
  }
}

const replaceConsole = (write: Write): void => {
  const sink = (stream: OutputStream) => ({ write: (text: string) => write(stream, text) })
  const methods = new Console({
    stdout: sink('stdout') as unknown as NodeJS.WritableStream,
    stderr: sink('stderr') as unknown as NodeJS.WritableStream,
    ignoreErrors: false,
    inspectOptions: INSPECT_OPTIONS,
  })
  const captured = Object.create(null)
  for (const [name, method] of Object.entries(methods)) {
    if (typeof method === 'function') captured[name] = method
  }
  Object.defineProperty(globalThis, 'console', { value: captured, writable: true, configurable: true })
}

// The streams that Node gives a worker carry the port by which it speaks to the host's own code.
const replaceStreams = (write: Write): void => {
  const streams = { stdin: emptyInput(), stdout: newOutput('stdout', 1, write), stderr: newOutput('stderr', 2, write) }
  for (const [name, value] of Object.entries(streams)) {
    Object.defineProperty(process, name, { value, enumerable: true, configurable: true })
  }
}

const newOutput = (name: OutputStream, fd: number, write: Write): Writable => {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Uint8Array, encoding: BufferEncoding, done: () => void) {
      write(name, chunk, encoding)
      done()
    },
  })
  return Object.assign(stream, { fd, isTTY: false })
}

const emptyInput = (): Readable => {
  const input = new Readable({ read() {} })
  input.push(null)
  return Object.assign(input, { fd: 0, isTTY: false })
}
