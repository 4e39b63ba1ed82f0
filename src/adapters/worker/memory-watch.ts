import { MIB } from '../../domain/units.js'
import { ownThreadId, threadMinorFaults } from './thread-stats.js'

export interface WatchedRun {
  readonly threadId: () => number | undefined
  readonly capMb: number
}

/** The thread that this runtime lives in: not the process's main one where an app runs it in a worker of its own. */
const hostThread = ownThreadId()

interface Start {
  readonly rssBytes: number
  readonly hostFaults: number
  /** What its thread touched while it booted is no program's doing. */
  readonly ownFaults: number
}

/**
 * Shares the growth of this process's resident memory out among the runs that are active, by the pages that each
 * thread touched. Why V8's own limit is not enough: docs/security.md, "Memory of a worker thread".
 */
export class MemoryWatch {
  readonly #starts = new Map<WatchedRun, Start>()

  begin(run: WatchedRun): void {
    this.#starts.set(run, {
      rssBytes: process.memoryUsage.rss(),
      hostFaults: threadMinorFaults(hostThread) ?? 0,
      ownFaults: threadMinorFaults(run.threadId()) ?? 0,
    })
  }

  end(run: WatchedRun): void {
    this.#starts.delete(run)
  }

  /** Memory that a run is thought to have added. Costs one system call while it is below its cap. */
  addedBytes(run: WatchedRun): number {
    const start = this.#starts.get(run)
    if (start === undefined) return 0
    const growthBytes = process.memoryUsage.rss() - start.rssBytes
    return growthBytes <= run.capMb * MIB ? Math.max(0, growthBytes) : growthBytes * this.#share(run, start)
  }

  #share(run: WatchedRun, start: Start): number {
    const own = faultsSince(run, start)
    if (own === undefined) return 1 / this.#starts.size
    const host = (threadMinorFaults(hostThread) ?? 0) - start.hostFaults
    const runs = [...this.#starts].map(([each, since]) => faultsSince(each, since) ?? 0)
    const total = runs.reduce((sum, faults) => sum + faults, host)
    return total === 0 ? 1 : own / total
  }
}

const faultsSince = (run: WatchedRun, { ownFaults }: Start): number | undefined => {
  const faults = threadMinorFaults(run.threadId())
  return faults === undefined ? undefined : faults - ownFaults
}

/** V8 aborts the whole process when one array grows past 2^27 elements; its last copy is taken at 715 MB. */
const LARGEST_SAFE_ARRAY_MB = 640
const MAX_SLACK_MB = 128
const JUMP_FACTOR = 3
const MAX_V8_LIMIT_MB = 1_048_576

/** Where the watch ends a run: the cap, and room for garbage and for the worker itself. */
export const watchLimitMb = (capMb: number): number =>
  Math.max(capMb + 32, Math.min(capMb + MAX_SLACK_MB, LARGEST_SAFE_ARRAY_MB))

/** V8's own limit: so far above the watch that no single growth of a collection can jump over it. */
export const v8LimitMb = (capMb: number): number =>
  Math.min(Math.ceil(watchLimitMb(capMb) * JUMP_FACTOR), MAX_V8_LIMIT_MB)
