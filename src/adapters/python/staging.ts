import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder, removePrivateFolder } from './private-folder.js'

export interface StagedFile {
  readonly path: string
  /** The private folder that it lies in. */
  readonly folder: string
  /** The file alone. Never throws. */
  removeFile(): void
  /** Never throws, and may be called again. */
  remove(): void
}

/** For a guest that needs no file. */
export const NOTHING_STAGED: StagedFile = { path: '-', folder: '-', removeFile: () => {}, remove: () => {} }

/** Writes the guest into a private folder. Leaves nothing when it fails. */
export const stageGuest = (bytes: Uint8Array): StagedFile => {
  const folder = makePrivateFolder('code-runtime-run-')
  let isThere = true
  const remove = (): void => {
    if (!isThere) return
    removePrivateFolder(folder)
    isThere = existsSync(folder)
  }
  const path = join(folder, 'guest.pyc')
  try {
    writeFileSync(path, bytes, { mode: 0o600 })
    return { path, folder, remove, removeFile: () => removePrivateFolder(path) }
  } catch (error) {
    remove()
    throw error
  }
}
