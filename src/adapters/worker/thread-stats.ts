import { readFileSync, readlinkSync } from 'node:fs'

const taskFile = (threadId: number, name: string): string | undefined => {
  try {
    return readFileSync(`/proc/self/task/${threadId}/${name}`, 'latin1')
  } catch {
    return undefined
  }
}

/** CPU time of one thread of this process. Null where the system does not tell (no Linux, or the thread is gone). */
export const threadCpuMs = (threadId: number | undefined): number | null => {
  const schedstat = threadId === undefined ? undefined : taskFile(threadId, 'schedstat')
  const onCpuNs = Number(schedstat?.split(' ')[0] ?? Number.NaN)
  return Number.isFinite(onCpuNs) ? onCpuNs / 1e6 : null
}

/** Pages that a thread touched for the first time (proc_pid_stat(5), field 10). */
export const threadMinorFaults = (threadId: number | undefined): number | undefined => {
  const stat = threadId === undefined ? undefined : taskFile(threadId, 'stat')
  const afterName = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  const faults = Number(afterName?.[7])
  return Number.isFinite(faults) ? faults : undefined
}

/** The system's id of the thread that asks. Undefined where the system does not tell. */
export const ownThreadId = (): number | undefined => {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  } catch {
    return undefined
  }
}
