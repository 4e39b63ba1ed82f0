import { readdirSync, readFileSync } from 'node:fs'
import { answer, argument } from '../child.mjs'
import { runJob, tryRuntime } from '../code-runtime.mjs'
import { startEchoInterpreter } from '../floors/interpreter.mjs'
import { startEchoWorker } from '../floors/worker.mjs'
import { grouped } from '../grouped.mjs'
import { pause } from '../measure.mjs'

const { state, count, ...guest } = argument()
const { language, pythonBin } = guest
const HOLD = { bare: holdBare, idle: holdIdle, active: holdActive }
const refused = await HOLD[state]()
answer(refused ?? { mb: await settledMb() })

async function holdBare() {
  await Promise.all(Array.from({ length: count }, startBare))
}

async function startBare() {
  if (language === 'typescript') return void (await startEchoWorker())
  await startEchoInterpreter(pythonBin).echo(['{}'])
}

async function holdIdle() {
  const { runtime, refusal } = await tryRuntime({ ...guest, warm: count })
  if (refusal !== undefined) return { refusal }
  await runJob(runtime, { program: 'return 1', expected: 1 })
  await pause(500 + 150 * count)
}

async function holdActive() {
  const { runtime, refusal } = await tryRuntime({ ...guest, warm: 0 })
  if (refusal !== undefined) return { refusal }
  await new Promise((resolve, reject) => {
    let held = 0
    const hold = () => {
      held += 1
      if (held === count) resolve()
      return new Promise(() => {})
    }
    const bindings = [{ global: 'tools', functions: { hold } }]
    for (let run = 0; run < count; run += 1) runJob(runtime, { program: 'await tools.hold()', bindings }).catch(reject)
  })
}

/** The host's own memory where guests are threads of it, else what their processes share with none. */
async function settledMb() {
  await pause(300)
  globalThis.gc()
  return language === 'typescript' ? process.memoryUsage.rss() / 1e6 : privateMb(descendants(process.pid))
}

function privateMb(pids) {
  const kib = pids.flatMap((pid) => {
    const rollup = readOrNothing(`/proc/${pid}/smaps_rollup`)
    return [...rollup.matchAll(/^Private_\w+:\s+(\d+) kB$/gm)].map(([, amount]) => Number(amount))
  })
  return (kib.reduce((sum, amount) => sum + amount, 0) * 1024) / 1e6
}

function descendants(root) {
  const children = grouped(allProcesses(), ({ parent }) => parent)
  const of = (pid) => (children.get(pid) ?? []).flatMap((child) => [child.pid, ...of(child.pid)])
  return of(root)
}

function allProcesses() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      const stat = readOrNothing(`/proc/${name}/stat`)
      return { pid: Number(name), parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) }
    })
}

// A process may end while it is looked at.
function readOrNothing(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
