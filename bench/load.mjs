import { spawnSync } from 'node:child_process'

const CHILD = `
import { performance } from 'node:perf_hooks'
const startMs = performance.now()
const { createCodeRuntime } = await import('code-runtime')
const importedMs = performance.now()
const runtime = await createCodeRuntime()
const createdMs = performance.now()
await runtime.run({ program: 'const one: number = 1; return one' })
const ranMs = performance.now()
await runtime.dispose()
console.log(JSON.stringify({ import: importedMs - startMs, create: createdMs - importedMs, firstRun: ranMs - createdMs }))
`

/** Loading in a fresh process, in milliseconds: the import, the first runtime, the first run (with the transformer). */
export const loadOnce = (cwd) => {
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', CHILD], { cwd, encoding: 'utf8' })
  return JSON.parse(stdout)
}
