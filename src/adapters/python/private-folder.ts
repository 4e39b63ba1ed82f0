import { chmodSync, lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { tempRoot } from './guest-env.js'

/** A new folder of mode 0700, directly under the temp root. */
export const makePrivateFolder = (prefix: string): string => mkdtempSync(join(tempRoot(), prefix))

/** Removes what a program may have changed in the meantime. What it made irremovable stays; nothing throws. */
export const removePrivateFolder = (path: string): void => {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    try {
      if (lstatSync(path).isDirectory()) chmodSync(path, 0o700)
      rmSync(path, { recursive: true, force: true })
    } catch {}
  }
}
