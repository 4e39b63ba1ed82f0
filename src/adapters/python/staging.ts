import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder, removePrivateFolder } from './private-folder.js'

export interface StagedFile {
  readonly path: string
  /** The private folder that it lies in. */
  readonly folder: string
  /** Never throws, and may be called again. */
  remove(): void
}

/** Writes the guest into a private folder. Leaves nothing when it fails. */
export const stageGuest = (bytes: Uint8Array): StagedFile => {
  const folder = makePrivateFolder('code-runtime-run-')
  const remove = (): void => removePrivateFolder(folder)
  try {
    const path = join(folder, 'guest.pyc')
    writeFileSync(path, bytes, { mode: 0o600 })
    return { path, folder, remove }
  } catch (error) {
    remove()
    throw error
  }
}
