import type { GuestUsage } from '../../domain/exit.js'
import type { ProcessIdentity } from '../../ports/process-control.js'
import { hasInEnvironment, type ProcStat, peakMemoryBytes, pidsAfter, readStat, TICK_MS } from './proc-files.js'

/** The living descendants of a process: by parentage, by group, and by the mark that they inherited. */
export const livingDescendants = (root: ProcessIdentity): ProcStat[] => {
  const candidates = pidsAfter(root.pid)
    .map(readStat)
    .filter((stat) => stat !== undefined)
    .filter((stat) => stat.state !== 'Z' && stat.state !== 'X')
  const family = new Set<number>([root.pid])
  const found = new Map<number, ProcStat>()
  for (let grew = true; grew; ) {
    grew = false
    for (const stat of candidates) {
      if (found.has(stat.pid) || !belongs(stat, root, family)) continue
      found.set(stat.pid, stat)
      family.add(stat.pid)
      grew = true
    }
  }
  return [...found.values()]
}

const belongs = (stat: ProcStat, root: ProcessIdentity, family: ReadonlySet<number>): boolean =>
  family.has(stat.parent) || stat.group === root.pid || hasInEnvironment(stat.pid, root.mark)

/** CPU time of the guest and of all its descendants, reaped or not. */
export const treeUsage = (root: ProcessIdentity): GuestUsage => {
  const own = readStat(root.pid)
  if (own === undefined || own.startTime !== root.startTime) return { cpuMs: null, peakMemoryBytes: null }
  const ticks = livingDescendants(root).reduce((sum, stat) => sum + stat.ticks, own.ticks)
  return { cpuMs: ticks * TICK_MS, peakMemoryBytes: peakMemoryBytes(root.pid) }
}
