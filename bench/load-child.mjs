import { performance } from 'node:perf_hooks'
import { answer, argument } from './child.mjs'

const processMs = performance.now()
answer(argument().bare ? { processMs } : await load())

/** In a process that loaded nothing before, in milliseconds. */
async function load() {
  const { createCodeRuntime } = await import('../dist/index.js')
  const importedMs = performance.now()
  const runtime = await createCodeRuntime()
  const createdMs = performance.now()
  await runtime.run({ program: 'const one: number = 1; return one' })
  const ranMs = performance.now()
  await runtime.dispose()
  return { importMs: importedMs - processMs, createMs: createdMs - importedMs, firstRunMs: ranMs - createdMs }
}
