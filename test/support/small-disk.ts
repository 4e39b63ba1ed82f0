import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const mount = (path: string, bound: string): boolean =>
  process.platform === 'linux' &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', bound, 'tmpfs', path], { stdio: 'ignore' }).status === 0

const unmount = (path: string): void => {
  spawnSync('umount', [path])
}

/** A file system that is soon full, for as long as `use` takes; `bound` is an option of tmpfs. */
export const withSmallDisk = async (bound: string, use: (path: string) => Promise<void>): Promise<void> => {
  const path = mkdtempSync(join(tmpdir(), 'small-disk-'))
  try {
    if (!mount(path, bound)) throw new Error(`no file system could be mounted at ${path}`)
    try {
      await use(path)
    } finally {
      unmount(path)
    }
  } finally {
    rmdirSync(path)
  }
}

/** Whether this process may mount one. */
export const canMount = (): boolean => {
  const path = mkdtempSync(join(tmpdir(), 'small-disk-'))
  const mounted = mount(path, 'size=64k')
  if (mounted) unmount(path)
  rmdirSync(path)
  return mounted
}
