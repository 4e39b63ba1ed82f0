import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { buildWorkerEntry } from './worker-entry.mjs'

// `npm run fuzz -- --minutes 60 --seed 1 --only frames,values,programs,lifecycle`
const root = fileURLToPath(new URL('..', import.meta.url))
// In `dist`, so that the package's own `#worker-entry` resolves from there.
const outfile = `${root}dist/fuzz/main.mjs`

await buildWorkerEntry()
await build({
  absWorkingDir: root,
  entryPoints: ['test/fuzz/main.ts'],
  outfile,
  bundle: true,
  format: 'esm',
  target: 'node20',
  platform: 'node',
  packages: 'external',
  sourcemap: true,
  logLevel: 'warning',
})
spawn(process.execPath, ['--enable-source-maps', outfile, ...process.argv.slice(2)], { stdio: 'inherit' }).on(
  'exit',
  (code) => {
    process.exitCode = code ?? 1
  },
)
