import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bridgePlugin } from './bridge-plugin.mjs'
import { replaceFile } from './replace-file.mjs'

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
