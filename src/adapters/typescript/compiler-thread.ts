import type { Worker } from 'node:worker_threads'
import { type Answer, askWorker, type Mode, startWorker } from './compiler-worker.js'

export interface CompilerThreadOptions {
  readonly start: () => Promise<Worker>
  /** How long an idle thread is kept. */
  readonly idleMs: number
  /** How long a small program may take. */
  readonly patienceMs: number
}

const DEFAULTS: CompilerThreadOptions = { start: startWorker, idleMs: 60_000, patienceMs: 5_000 }
const UNITS_PER_MS = 1_000
const LARGE = 1_000_000

/**
 * swc in a thread of its own. Small programs exist that keep its parser busy for years, or overflow its stack and leave
 * it broken: the thread is ended then, and the next program gets a new one.
 */
export class CompilerThread {
  readonly #options: CompilerThreadOptions
  #worker: Worker | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #idle: NodeJS.Timeout | undefined

  constructor(options: Partial<CompilerThreadOptions> = {}) {
    this.#options = { ...DEFAULTS, ...options }
  }

  /** One program at a time, so that the time of each is its own. */
  compile(source: string, mode: Mode): Promise<Answer> {
    const turn = this.#turn.then(() => this.#compile(source, mode))
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  async #compile(source: string, mode: Mode): Promise<Answer> {
    clearTimeout(this.#idle)
    this.#worker ??= await this.#options.start()
    const deadlineMs = this.#options.patienceMs + source.length / UNITS_PER_MS
    const answer = await askWorker(this.#worker, { source, mode, deadlineMs })
    // The memory of WebAssembly never shrinks.
    if ('failure' in answer || source.length > LARGE) await this.stop()
    else this.#idle = setTimeout(() => void this.stop(), this.#options.idleMs).unref()
    return answer
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }
}
