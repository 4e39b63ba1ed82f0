import type { ProcessIdentity } from '../../ports/process-control.js'
import { PidHorizon } from './pid-horizon.js'
import type { ProcFiles, ProcStat } from './proc-files.js'
import { hasMark } from './run-mark.js'

/**
 * A guest and its descendants: by parentage, by group, and by the mark that they inherited. Who was seen in it once
 * stays in it, wherever it went since.
 */
export class ProcessFamily {
  readonly #proc: ProcFiles
  readonly #root: ProcessIdentity
  readonly #horizon: PidHorizon
  /** Start times by pid. */
  #members: ReadonlyMap<number, string>
  /** Who does not hold the mark: it is never got later. */
  #strangers: ReadonlyMap<number, string> = new Map()

  constructor(proc: ProcFiles, root: ProcessIdentity) {
    this.#proc = proc
    this.#root = root
    this.#horizon = new PidHorizon(proc, root.pid)
    this.#members = new Map(root.startTime === undefined ? [] : [[root.pid, root.startTime]])
  }

  /** No process was started on this system between the last two looks. */
  get isQuiet(): boolean {
    return this.#horizon.isQuiet
  }

  /** Its processes now, zombies included. */
  look(): ProcStat[] {
    const newer = this.#horizon.newer()
    const pids = newer === undefined ? this.#members.keys() : new Set([...this.#members.keys(), ...newer])
    const stats = [...pids].map((pid) => this.#proc.stat(pid)).filter((stat) => stat !== undefined)
    const found = newer === undefined ? stats.filter((stat) => this.#isMember(stat)) : this.#find(stats)
    this.#members = startTimes(found)
    return found
  }

  /** Its living processes without the guest itself. */
  descendants(): ProcStat[] {
    return this.look().filter((stat) => !this.#isRoot(stat) && stat.state !== 'Z' && stat.state !== 'X')
  }

  #find(stats: readonly ProcStat[]): ProcStat[] {
    const isOurGroup = stats.every((stat) => stat.pid !== this.#root.pid || this.#isMember(stat))
    const isRelated = (stat: ProcStat): boolean => this.#isMember(stat) || (isOurGroup && stat.group === this.#root.pid)
    const related = withChildren(stats.filter(isRelated), stats)
    const others = stats.filter((stat) => !related.has(stat))
    const marked = this.#findMarked(others)
    return [...(marked.length === 0 ? related : withChildren([...related, ...marked], stats))]
  }

  #findMarked(others: readonly ProcStat[]): ProcStat[] {
    const isKnown = ({ pid, startTime }: ProcStat): boolean => this.#strangers.get(pid) === startTime
    const told = others
      .filter((stat) => !isKnown(stat))
      .map((stat) => ({ stat, has: hasMark(this.#proc, stat.pid, this.#root.mark) }))
    const strangers = told.filter(({ has }) => has === false).map(({ stat }) => stat)
    this.#strangers = startTimes([...others.filter(isKnown), ...strangers])
    return told.filter(({ has }) => has === true).map(({ stat }) => stat)
  }

  #isRoot({ pid, startTime }: ProcStat): boolean {
    return pid === this.#root.pid && startTime === this.#root.startTime
  }

  #isMember({ pid, startTime }: ProcStat): boolean {
    return this.#members.get(pid) === startTime
  }
}

const startTimes = (stats: readonly ProcStat[]): ReadonlyMap<number, string> =>
  new Map(stats.map(({ pid, startTime }) => [pid, startTime]))

/** Some processes and all their descendants. A set is walked in the order of insertion, what is added meanwhile too. */
const withChildren = (some: readonly ProcStat[], all: readonly ProcStat[]): Set<ProcStat> => {
  const found = new Set(some)
  const children = new Map<number, ProcStat[]>()
  for (const stat of all) {
    const siblings = children.get(stat.parent)
    if (siblings === undefined) children.set(stat.parent, [stat])
    else siblings.push(stat)
  }
  for (const { pid } of found) for (const child of children.get(pid) ?? []) found.add(child)
  return found
}
