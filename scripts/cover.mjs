import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))

// Guests write their coverage only if the whole process was started with this variable.
const env = { ...process.env, NODE_V8_COVERAGE: fileURLToPath(new URL('../coverage/guests', import.meta.url)) }

spawn(process.execPath, [vitest, 'run', '--coverage', ...process.argv.slice(2)], {
  cwd: root,
  env,
  stdio: 'inherit',
}).on('exit', (code) => {
  process.exitCode = code ?? 1
})
