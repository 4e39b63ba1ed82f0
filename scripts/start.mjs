import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { buildIfStale } from './build-if-stale.mjs'

buildIfStale()
const { status } = spawnSync(process.execPath, ['examples/main-job.mjs', ...process.argv.slice(2)], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
})
if (status !== 0) process.exit(status ?? 1)
