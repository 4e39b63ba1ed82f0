import { readdirSync } from 'node:fs'
import { answer, argument } from '../child.mjs'
import { createCodeRuntime, runJob } from '../code-runtime.mjs'
import { liveInterpreter } from '../floors/interpreter.mjs'
import { liveWorker } from '../floors/worker.mjs'
import { pause } from '../measure.mjs'

const { isBare, runs, ...guest } = argument()
const { language, pythonBin } = guest
const WARM_UP = 20

const runtime = await createCodeRuntime(guest)
const runOnce = isBare
  ? () => (language === 'typescript' ? liveWorker(1) : liveInterpreter(pythonBin, ['-I', '-S', '-c', 'pass']))
  : () => runJob(runtime, { program: 'return 1', expected: 1 })

await repeat(WARM_UP)
const before = await look()
await repeat(runs)
const after = await look()
await runtime.dispose()
answer(Object.fromEntries(Object.keys(before).map((key) => [key, after[key] - before[key]])))

async function repeat(times) {
  for (let run = 0; run < times; run += 1) await runOnce()
}

/** When what the last run left in flight has gone. */
async function look() {
  await pause(1_000)
  for (let round = 0; round < 2; round += 1) globalThis.gc()
  return {
    rssMb: process.memoryUsage.rss() / 1e6,
    handles: process.getActiveResourcesInfo().length,
    descriptors: readdirSync('/dev/fd').length,
  }
}
