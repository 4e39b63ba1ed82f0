import type { Worker } from 'node:worker_threads'

export const SAMPLE_MS = 25

/** How long the event loop of a worker was busy since the meter was made. Waiting is free. */
export class BusyMeter {
  readonly #worker: Worker
  readonly #startMs: number

  constructor(worker: Worker) {
    this.#worker = worker
    this.#startMs = activeMs(worker)
  }

  get busyMs(): number {
    return activeMs(this.#worker) - this.#startMs
  }
}

const activeMs = (worker: Worker): number => worker.performance.eventLoopUtilization().active
