import { performance } from 'node:perf_hooks'
import type { ProcFiles } from './proc-files.js'

/** In so long the pids may have gone round: the smallest usual range holds 32 768 of them. */
const UNWATCHED_MS = 1_000

/**
 * Which processes may be a guest's descendants, without a look at each process of the system. A guest that has no
 * children when it is made has only later ones.
 */
export class PidHorizon {
  readonly #proc: ProcFiles
  /** No descendant's pid is lower, unless the pids went round. */
  readonly #firstPid: number
  readonly #now: () => number
  #lastPid: number
  #lookedAtMs: number
  #isWrapped = false
  #isQuiet = false

  constructor(proc: ProcFiles, rootPid: number, now = () => performance.now()) {
    this.#proc = proc
    this.#now = now
    this.#lastPid = proc.lastPid()
    this.#isQuiet = proc.isChildless(rootPid)
    this.#firstPid = this.#isQuiet ? this.#lastPid + 1 : rootPid
    this.#lookedAtMs = now()
  }

  get isQuiet(): boolean {
    return this.#isQuiet
  }

  /** The pids that may be a descendant's. Undefined when no process has been started since the last look. */
  newer(): number[] | undefined {
    if (!this.#hasNews()) return undefined
    const pids = this.#proc.pids()
    return this.#isWrapped ? pids : pids.filter((pid) => pid >= this.#firstPid)
  }

  // A pid is given out shortly before its process can be listed: a quiet look counts only after another one.
  #hasNews(): boolean {
    const lastPid = this.#proc.lastPid()
    const nowMs = this.#now()
    const isUnwatched = nowMs - this.#lookedAtMs > UNWATCHED_MS
    this.#isWrapped ||= isUnwatched || !(lastPid >= this.#firstPid - 1) || lastPid < this.#lastPid
    const wasQuiet = this.#isQuiet
    this.#isQuiet = lastPid === this.#lastPid && !isUnwatched
    this.#lastPid = lastPid
    this.#lookedAtMs = nowMs
    return !(wasQuiet && this.#isQuiet)
  }
}
