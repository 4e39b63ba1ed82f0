import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { buildIfStale } from './build-if-stale.mjs'

buildIfStale()
const soak = fileURLToPath(new URL('../test/soak/run.mjs', import.meta.url))
const { status } = spawnSync(process.execPath, ['--expose-gc', soak, ...process.argv.slice(2)], { stdio: 'inherit' })
process.exitCode = status ?? 1
