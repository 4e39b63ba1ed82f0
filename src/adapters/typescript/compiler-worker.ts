import { once } from 'node:events'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

export type Mode = 'strip-only' | 'transform'

/** What swc throws. */
export interface Refusal {
  readonly code: string
  readonly message: string
  readonly startLine: number
  /** Counted in screen columns from 0: a tab is four, a wide character two. */
  readonly startColumn: number
}

/** A panic of swc, a stack that overflowed, or no answer in time. */
export type Failure = 'panic' | 'overflow' | 'overdue'

export type Answer =
  | { readonly output: { readonly code: string; readonly map?: string } }
  | { readonly refusal: Refusal }
  | { readonly failure: Failure }

export interface Question {
  readonly source: string
  readonly mode: Mode
  readonly deadlineMs: number
}

const SOURCE = `
const { parentPort, workerData } = require('node:worker_threads')
const { transformSync } = require(workerData)

const answer = ({ source, mode }) => {
  try {
    return { output: transformSync(source, { mode, module: true, sourceMap: mode === 'transform', filename: '<model>' }) }
  } catch (thrown) {
    if (!(thrown instanceof Error)) return { refusal: thrown }
    return { failure: thrown.message === 'unreachable' ? 'panic' : 'overflow' }
  }
}

parentPort.on('message', (question) => parentPort.postMessage(answer(question)))
parentPort.postMessage('ready')
`

/** A worker does not keep the process alive while nobody asks it. */
export const startWorker = async (): Promise<Worker> => {
  const workerData = createRequire(import.meta.url).resolve('@swc/wasm-typescript')
  const worker = new Worker(SOURCE, { eval: true, env: {}, execArgv: [], workerData })
  // Told to who asks.
  worker.on('error', () => undefined)
  await once(worker, 'message')
  worker.unref()
  return worker
}

export const askWorker = async (worker: Worker, { source, mode, deadlineMs }: Question): Promise<Answer> => {
  const overdue = new AbortController()
  const timer = setTimeout(() => overdue.abort(), deadlineMs)
  worker.ref()
  worker.postMessage({ source, mode })
  try {
    const [answer] = await once(worker, 'message', { signal: overdue.signal })
    return answer
  } catch {
    return { failure: overdue.signal.aborted ? 'overdue' : 'panic' }
  } finally {
    clearTimeout(timer)
    worker.unref()
  }
}
