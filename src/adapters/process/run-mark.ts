import { randomBytes } from 'node:crypto'
import type { ProcFiles } from './proc-files.js'

const NAME = 'CODE_RUNTIME_RUN'
const LEAST = 1n << 61n

/**
 * What every descendant of a guest inherits, in two places: an environment variable and, of the same number, the limit
 * of uninterrupted real-time computing (microseconds, so never met). One survives what removes the other.
 */
export const newMark = (): { readonly env: Record<string, string>; readonly mark: string } => {
  const number = String(LEAST + (randomBytes(8).readBigUInt64LE() >> 4n))
  return { env: { [NAME]: number }, mark: `${NAME}=${number}` }
}

/** Undefined when it cannot be told yet. */
export const hasMark = (proc: ProcFiles, pid: number, mark: string): boolean | undefined => {
  const number = /=(\d{19})$/.exec(mark)?.[1]
  if (number === undefined) return false
  if (proc.realTimeLimit(pid).includes(number)) return true
  const environment = proc.environment(pid)
  return environment?.length ? environment.includes(mark) : undefined
}
