import { accessSync, constants } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
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

/** The same for one run, whose folder is removed after it. */
export const runEnv = (folder: string): Record<string, string> => ({
  ...guestEnv(),
  // matplotlib keeps caches in the user's home; without one it warns on stderr, and leaves a folder in the temp root.
  ...(hasWritableHome() ? {} : { MPLCONFIGDIR: folder }),
})

const hasWritableHome = (): boolean => {
  try {
    accessSync(homeOf(process.getuid?.()), constants.W_OK)
    return true
  } catch {
    return false
  }
}

const homes = new Map<number | undefined, string>()

/** Looked up once for each user: the look may ask a directory service. */
const homeOf = (uid: number | undefined): string => {
  const home = homes.get(uid) ?? userInfo().homedir
  homes.set(uid, home)
  return home
}
