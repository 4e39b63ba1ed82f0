import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigurationError } from '../../domain/errors.js'
import { assetPath } from '../assets.js'

/** The guest compiled for one interpreter, in one file: a run never compiles it again. */
export const compileGuest = (interpreter: string): Buffer => {
  const folder = mkdtempSync(join(tmpdir(), 'code-runtime-bundle-'))
  try {
    const out = join(folder, 'guest.pyc')
    const { status, stderr } = spawnSync(interpreter, ['-I', '-S', '-B', assetPath('#py/bundle.py'), out], {
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    })
    if (status !== 0) throw new ConfigurationError(`The interpreter could not compile the guest: ${stderr.trim()}`)
    return readFileSync(out)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
