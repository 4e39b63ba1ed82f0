import type { ProcStat } from './proc-files.js'

/**
 * CPU time of a family that changes between looks, never less than before. What a vanished process had used is in its
 * parent's account if it was waited for; if nobody did, it is kept here.
 */
export class TreeMeter {
  #last: ReadonlyMap<number, ProcStat> = new Map()
  #lostTicks = 0

  get hasRead(): boolean {
    return this.#last.size > 0 || this.#lostTicks > 0
  }

  /** Clock ticks until this look. */
  ticks(stats: readonly ProcStat[]): number {
    const now = new Map(stats.map((stat) => [stat.pid, stat]))
    this.#keepLost(now)
    this.#last = now
    return stats.reduce((sum, { ownTicks, reapedTicks }) => sum + ownTicks + reapedTicks, this.#lostTicks)
  }

  #keepLost(now: ReadonlyMap<number, ProcStat>): void {
    const vanished = new Map<ProcStat | undefined, number>()
    for (const stat of this.#last.values()) {
      if (isSame(now.get(stat.pid), stat)) continue
      const heir = this.#heirOf(stat, now)
      vanished.set(heir, (vanished.get(heir) ?? 0) + stat.ownTicks + stat.reapedTicks)
    }
    for (const [heir, ticks] of vanished) this.#lostTicks += Math.max(0, ticks - this.#inherited(heir, now))
  }

  /** The nearest ancestor that is still there, as it was at the last look. */
  #heirOf({ parent }: ProcStat, now: ReadonlyMap<number, ProcStat>): ProcStat | undefined {
    const heir = this.#last.get(parent)
    return heir === undefined || isSame(now.get(parent), heir) ? heir : this.#heirOf(heir, now)
  }

  #inherited(heir: ProcStat | undefined, now: ReadonlyMap<number, ProcStat>): number {
    return heir === undefined ? 0 : (now.get(heir.pid)?.reapedTicks ?? 0) - heir.reapedTicks
  }
}

const isSame = (one: ProcStat | undefined, other: ProcStat): boolean => one?.startTime === other.startTime
