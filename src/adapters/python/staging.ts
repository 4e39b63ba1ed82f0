import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface StagedFile {
  readonly path: string
  remove(): void
}

/** Writes the guest into a private folder (0700 by mkdtemp) directly under the temp root. Leaves nothing when it fails. */
export const stageGuest = (bytes: Uint8Array): StagedFile => {
  const folder = mkdtempSync(join(tmpdir(), 'code-runtime-run-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const path = join(folder, 'guest.pyc')
    writeFileSync(path, bytes, { mode: 0o600 })
    return { path, remove }
  } catch (error) {
    remove()
    throw error
  }
}
