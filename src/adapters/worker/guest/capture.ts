import { Console } from 'node:console'
import type { OutputStream } from '../../../domain/outcome.js'
import { captureDescriptors } from './descriptors.js'
import { INSPECT_OPTIONS } from './inspect.js'
import { StreamText } from './stream-text.js'

export type Print = (stream: OutputStream, text: string) => void
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
  const write: Write = (stream, chunk, encoding) => print(stream, texts[stream].next(chunk, encoding))
  replaceConsole(write)
  captureStream('stdout', write)
  captureStream('stderr', write)
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

// The stream stays Node's own: callbacks, corking and events are its affair.
const captureStream = (name: OutputStream, write: Write): void => {
  Object.assign(process[name], {
    _writev: null,
    _write(chunk: string | Uint8Array, encoding: BufferEncoding, done: (error?: Error | null) => void) {
      write(name, chunk, encoding)
      done()
    },
  })
}
