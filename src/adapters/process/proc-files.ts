import { readdirSync, readFileSync } from 'node:fs'

/** One process, as Linux tells in proc_pid_stat(5). */
export interface ProcStat {
  readonly pid: number
  readonly state: string
  readonly parent: number
  readonly group: number
  /** Clock ticks of its own and of children that it reaped. */
  readonly ticks: number
  readonly startTime: string
}

// USER_HZ: fixed by the kernel's interface, whatever its own tick is.
export const TICK_MS = 10

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return undefined
  }
}

export const readStat = (pid: number): ProcStat | undefined => {
  const text = read(`/proc/${pid}/stat`)
  if (text === undefined) return undefined
  // The name, in parentheses, may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state = '', parent, group] = fields
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return { pid, state, parent: Number(parent), group: Number(group), ticks, startTime: fields[19] ?? '' }
}

export const hasInEnvironment = (pid: number, text: string): boolean =>
  read(`/proc/${pid}/environ`)?.split('\0').includes(text) ?? false

/** Peak resident memory of a process. */
export const peakMemoryBytes = (pid: number): number | null => {
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1]
  return kib === undefined ? null : Number(kib) * 1_024
}

/** The pids that exist, from the one given on. A descendant never has a lower one, until pids wrap around. */
export const pidsAfter = (pid: number): number[] => {
  const pids = listPids()
  const last = Number(read('/proc/loadavg')?.trim().split(' ').at(-1))
  return last >= pid ? pids.filter((candidate) => candidate > pid) : pids
}

const listPids = (): number[] => {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0)
  } catch {
    return []
  }
}
