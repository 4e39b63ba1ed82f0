import { setTimeout as sleep } from 'node:timers/promises'
import type { ProcessIdentity } from '../../ports/process-control.js'
import { type ProcStat, readStat } from './proc-files.js'
import { livingDescendants } from './process-tree.js'

const MAX_ROUNDS = 200
const ROUND_MS = 5

/** Kills what is left of a tree, in rounds: a process that forks while it is hunted is found in the next one. */
export const endDescendants = async (root: ProcessIdentity): Promise<void> => {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const living = livingDescendants(root)
    if (living.length === 0) return
    for (const stat of living) killSame(stat)
    await sleep(ROUND_MS)
  }
}

const killSame = ({ pid, startTime }: ProcStat): void => {
  if (readStat(pid)?.startTime !== startTime) return
  sendSignal(pid, 'SIGKILL')
}

/** False when there is no such process (any more). */
export const sendSignal = (pid: number, signal: NodeJS.Signals): boolean => {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ESRCH' || code === 'EPERM') return false
    throw error
  }
}
