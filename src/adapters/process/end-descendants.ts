import { performance } from 'node:perf_hooks'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { ProcFiles, ProcStat } from './proc-files.js'
import type { ProcessFamily } from './process-family.js'
import { askToEnd, sendSignal } from './send-signal.js'

/** A process that the kernel does not let go of, in a dead file system for instance, is waited for so long. */
const STUCK_MS = 30_000
const SHORTEST_WAIT_MS = 1
const LONGEST_WAIT_MS = 50

// A process that starts another and ends in the middle of a look is not seen, and neither is the other.
const MOST_DOUBT = 6
/** What a look that found nobody is worth when processes were started during it, and when none was. */
const BUSY_LOOK = 1
const QUIET_LOOK = 3

/** Ends what is left of a family, in rounds. */
export const endDescendants = async (proc: ProcFiles, family: ProcessFamily, graceMs: number): Promise<void> => {
  const hunt = new Hunt(proc, graceMs)
  for (let doubt = MOST_DOUBT; doubt > 0 && !hunt.isOver; ) {
    const living = family.descendants()
    doubt = living.length > 0 ? MOST_DOUBT : doubt - (family.isQuiet ? QUIET_LOOK : BUSY_LOOK)
    if (living.length > 0) await sleep(hunt.strike(living))
    else await nextTurn()
  }
}

/**
 * Who was there at first is asked, and killed after the grace; who was started since is killed at once, so that a tree
 * that grows while it is hunted comes to its end.
 */
class Hunt {
  readonly #proc: ProcFiles
  readonly #graceMs: number
  readonly #startedAtMs = performance.now()
  #asked: ReadonlySet<string> | undefined
  #waitMs = SHORTEST_WAIT_MS

  constructor(proc: ProcFiles, graceMs: number) {
    this.#proc = proc
    this.#graceMs = graceMs
  }

  get isOver(): boolean {
    return this.#elapsedMs > this.#graceMs + STUCK_MS
  }

  get #elapsedMs(): number {
    return performance.now() - this.#startedAtMs
  }

  /** Signals, and tells how long it is good to wait. */
  strike(living: readonly ProcStat[]): number {
    const asked = this.#ask(living)
    const isGrace = this.#elapsedMs < this.#graceMs
    const due = living.filter((stat) => !(isGrace && asked.has(keyOf(stat))))
    for (const stat of due) if (this.#isStillSame(stat)) sendSignal(stat.pid, 'SIGKILL')
    this.#waitMs = due.length > 0 ? SHORTEST_WAIT_MS : Math.min(this.#waitMs * 2, LONGEST_WAIT_MS)
    return this.#waitMs
  }

  #ask(living: readonly ProcStat[]): ReadonlySet<string> {
    if (this.#asked !== undefined) return this.#asked
    if (this.#graceMs > 0) for (const stat of living) if (this.#isStillSame(stat)) askToEnd(stat.pid)
    this.#asked = new Set(living.map(keyOf))
    return this.#asked
  }

  #isStillSame({ pid, startTime }: ProcStat): boolean {
    return this.#proc.stat(pid)?.startTime === startTime
  }
}

const keyOf = ({ pid, startTime }: ProcStat): string => `${pid} ${startTime}`
