import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const inputs = ['src', 'scripts', 'package.json', 'tsconfig.json', 'tsup.config.ts']
const outputs = [
  'index.js',
  'index.cjs',
  'index.d.ts',
  'testing.js',
  'testing.cjs',
  'worker-entry.cjs',
  'guest-agent.js',
]

/** Builds `dist/` when a source is newer; ends the process when the build fails. */
export function buildIfStale() {
  if (!isStale()) return
  const { status } = spawnSync(process.execPath, ['node_modules/tsup/dist/cli-default.js', '--silent'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}

function isStale() {
  const built = Math.min(...outputs.map((name) => changedMs(`dist/${name}`) ?? 0))
  return inputs.flatMap(filesOf).some((path) => changedMs(path) > built)
}

function filesOf(path) {
  if (!statSync(root + path).isDirectory()) return [path]
  return [path, ...readdirSync(root + path).flatMap((name) => filesOf(`${path}/${name}`))]
}

function changedMs(path) {
  return statSync(root + path, { throwIfNoEntry: false })?.mtimeMs
}
