import { tmpdir } from 'node:os'
import { resolve } from 'node:path'

/** Where staged files go, whatever the current directory becomes. */
export const tempRoot = (): string => resolve(tmpdir())

/** Nothing of the host's environment but its temp root; the rest makes output UTF-8 and libraries well behaved. */
export const guestEnv = (): Record<string, string> => ({
  TMPDIR: tempRoot(),
  LC_ALL: 'C.UTF-8',
  PYTHONIOENCODING: 'utf-8',
  MPLBACKEND: 'Agg',
  OPENBLAS_NUM_THREADS: '1',
})

/** Libraries that would start threads at their import, which no fork survives, start none. */
export const serverEnv = (): Record<string, string> => ({
  ...guestEnv(),
  OMP_NUM_THREADS: '1',
  NUMEXPR_NUM_THREADS: '1',
})
