import { mkdir, readFile, rename, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bridgePlugin } from './bridge-plugin.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Bundles the worker entry into `dist/`, rewriting only what changed.
 * Coverage wants the statements of the source, so it asks for no minification.
 */
export async function buildWorkerEntry({ minify = true } = {}) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src/adapters/worker/guest/entry.ts'],
    outfile: 'dist/worker-entry.cjs',
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minifyWhitespace: minify,
    legalComments: 'none',
    sourcemap: true,
    plugins: [bridgePlugin({ minify })],
    write: false,
  })
  await Promise.all(outputFiles.map(replaceFile))
}

// A worker of another process may be loading the file: it sees the old or the new one, never a part.
async function replaceFile({ path, contents }) {
  const current = await readFile(path).catch(() => undefined)
  if (current?.equals(contents)) return utimes(path, new Date(), new Date())
  const staged = `${path}.${process.pid}`
  await mkdir(dirname(path), { recursive: true })
  await writeFile(staged, contents)
  await rename(staged, path)
}
