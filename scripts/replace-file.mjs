import { mkdir, readFile, rename, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * A worker of another process may be loading the file: it sees the old or the new one, never a part.
 * @param {{ path: string, contents: Uint8Array }} file
 */
export async function replaceFile({ path, contents }) {
  const current = await readFile(path).catch(() => undefined)
  if (current?.equals(contents)) return utimes(path, new Date(), new Date())
  const staged = `${path}.${process.pid}`
  await mkdir(dirname(path), { recursive: true })
  await writeFile(staged, contents)
  await rename(staged, path)
}
