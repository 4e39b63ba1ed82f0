import { readdirSync, readFileSync } from 'node:fs'

/** One process, as Linux tells in proc_pid_stat(5). */
export interface ProcStat {
  readonly pid: number
  readonly state: string
  readonly parent: number
  readonly group: number
  /** Clock ticks of CPU time of its own. */
  readonly ownTicks: number
  /** Clock ticks of the children that it has waited for, and of theirs. */
  readonly reapedTicks: number
  readonly startTime: string
}

// USER_HZ: fixed by the kernel's interface, whatever its own tick is.
export const TICK_MS = 10

const UNREADABLE: readonly string[] = ['(unreadable)']

/** What Linux tells in /proc. On a system without it, nothing is known, and nothing throws. */
export class ProcFiles {
  readonly #folder: string

  constructor(folder = '/proc') {
    this.#folder = folder
  }

  get isThere(): boolean {
    return this.#read('self/stat') !== undefined
  }

  stat(pid: number): ProcStat | undefined {
    const text = this.#read(`${pid}/stat`)
    if (text === undefined) return undefined
    // The name, in parentheses, may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const number = (index: number): number => Number(fields[index])
    return {
      pid,
      state: fields[0] ?? '',
      parent: number(1),
      group: number(2),
      ownTicks: number(11) + number(12),
      reapedTicks: number(13) + number(14),
      startTime: fields[19] ?? '',
    }
  }

  /** Undefined when the process is gone, or has none, as it is for a moment in exec. */
  environment(pid: number): readonly string[] | undefined {
    try {
      return readFileSync(`${this.#folder}/${pid}/environ`, 'latin1').split('\0').slice(0, -1)
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EACCES' ? UNREADABLE : undefined
    }
  }

  /** The limit that nothing but real-time scheduling ever meets, as the kernel prints it. */
  realTimeLimit(pid: number): string {
    return /^Max realtime timeout .*$/m.exec(this.#read(`${pid}/limits`) ?? '')?.[0] ?? ''
  }

  /** Peak resident memory of a process. Null for a zombie, which has none. */
  peakMemoryBytes(pid: number): number | null {
    const kib = /^VmHWM:\s+(\d+) kB$/m.exec(this.#read(`${pid}/status`) ?? '')?.[1]
    return kib === undefined ? null : Number(kib) * 1_024
  }

  /** Whether a process has certainly no children. Not every kernel tells. */
  isChildless(pid: number): boolean {
    return this.#read(`${pid}/task/${pid}/children`)?.trim() === ''
  }

  pids(): number[] {
    try {
      return readdirSync(this.#folder)
        .map(Number)
        .filter((pid) => pid > 0)
    } catch {
      return []
    }
  }

  /** The pid that was given out last. NaN when unknown. */
  lastPid(): number {
    return Number(this.#read('loadavg')?.trim().split(' ').at(-1))
  }

  #read(path: string): string | undefined {
    try {
      return readFileSync(`${this.#folder}/${path}`, 'latin1')
    } catch {
      return undefined
    }
  }
}
