import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ConfigurationError } from '../../domain/errors.js'
import { assetPath } from '../assets.js'
import { guestEnv } from './guest-env.js'
import type { Interpreter } from './interpreter.js'
import { makePrivateFolder, removePrivateFolder } from './private-folder.js'

const COMPILE_MS = 30_000

const bundles = new Map<string, Promise<Buffer>>()

/** The guest compiled for an interpreter, once for each state of its file. */
export const guestBundle = ({ path, signature }: Interpreter, cwd: string): Promise<Buffer> => {
  const key = JSON.stringify([path, signature, cwd])
  const known = bundles.get(key) ?? compileGuest(path, cwd)
  bundles.set(key, known)
  known.catch(() => bundles.delete(key))
  return known
}

/**
 * The guest compiled for one interpreter, in one file: a run never compiles it again. Done under the conditions of a
 * run, so that an interpreter that cannot do with them is refused here.
 */
const compileGuest = async (interpreter: string, cwd: string): Promise<Buffer> => {
  let folder: string | undefined
  try {
    folder = makePrivateFolder('code-runtime-bundle-')
    const out = join(folder, 'guest.pyc')
    await promisify(execFile)(interpreter, ['-I', '-S', '-B', assetPath('#py/bundle.py'), out], {
      cwd,
      env: guestEnv(),
      timeout: COMPILE_MS,
      killSignal: 'SIGKILL',
    })
    return readFileSync(out)
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    throw new ConfigurationError(
      `The interpreter ${interpreter} could not compile the guest: ${stderr?.trim() || message}`,
    )
  } finally {
    if (folder !== undefined) removePrivateFolder(folder)
  }
}
