import { answerAndDie, argument } from '../child.mjs'
import { createCodeRuntime, runJob } from '../code-runtime.mjs'
import { addLoops } from '../loops.mjs'
import { inTurns, pause, timed } from '../measure.mjs'
import { createReport } from '../report.mjs'
import { preparedMs } from '../runtimes.mjs'
import { give, jobsFor, OWN_PYTHON } from './jobs.mjs'

const { file, python, quick } = argument()
const { rival } = await import(`./${file}.mjs`)
const report = createReport()
const OURS = 'code-runtime, prepared guest'
const OTHER_OURS = `code-runtime, cold, beside ${rival.package}`
const LOOP_PAUSE_MS = 500
const BINDINGS = [{ global: 'tools', functions: { give } }]

const runtimes = await openRuntimes()
const modes = await openModes()
for (const job of jobsFor(quick ? 3e5 : 3e7)) await measureJob(job)
await measureSustained()
for (const { stop } of modes) await stop()
for (const runtime of Object.values(runtimes)) await runtime.dispose()
answerAndDie({ rows: report.rows, skipped: report.skipped, lacks: rival.lacks })

async function openRuntimes() {
  const options = rival.language === 'python' ? { language: 'python', pythonBin: python } : {}
  return {
    [OURS]: await createCodeRuntime({ ...options, warm: 1 }),
    [OTHER_OURS]: await createCodeRuntime({ ...options, warm: 0 }),
  }
}

async function openModes() {
  const open = []
  for (const { name, start } of rival.modes)
    open.push({ name: `${rival.package}, ${name}`, ...(await start({ python })) })
  return open
}

async function measureJob(job) {
  if (job.onlyPython && rival.language !== 'python') return
  const group = report.group(groupOf(job))
  const reason = rival.cannot?.[job.name]
  if (reason !== undefined) return group.skip(rival.package, reason)
  const tasks = {
    [OURS]: () => timePrepared(job),
    [OTHER_OURS]: () => timed(() => runOurs(runtimes[OTHER_OURS], job)),
  }
  for (const { name, run } of modes) tasks[name] = () => timed(() => runTheirs(run, job))
  const limits = job.isLoop ? { rounds: 3 } : { rounds: 11, maxMs: 15_000 }
  const samples = await inTurns(tasks, quick ? { rounds: 2 } : limits)
  const floor = { name: OURS, samples: samples[OURS] }
  for (const name of Object.keys(tasks)) {
    if (name !== OURS) group.add({ name, samples: samples[name], floor })
  }
}

function groupOf({ name }) {
  return `rivals, ${rival.language === 'python' ? 'Python' : 'TypeScript'}: ${name}`
}

async function timePrepared(job) {
  const ms = await timed(() => runOurs(runtimes[OURS], job))
  await pause(job.isLoop ? LOOP_PAUSE_MS : preparedMs(ms))
  return ms
}

function runOurs(runtime, { javascript, python: write, expected }) {
  const program = rival.language === 'python' ? write(OWN_PYTHON) : javascript
  return runJob(runtime, { program, bindings: BINDINGS, expected })
}

async function runTheirs(run, job) {
  const value = await run(job)
  if (value !== job.expected) throw new Error(`${rival.package}: ${job.name}: expected ${job.expected}, got ${value}`)
}

/** The smallest job under load. */
async function measureSustained() {
  const [job] = jobsFor(1)
  const group = report.group(`${groupOf(job)}, sustained`)
  const tasks = { [OURS]: () => runOurs(runtimes[OURS], job), [OTHER_OURS]: () => runOurs(runtimes[OTHER_OURS], job) }
  for (const { name, run } of modes) tasks[name] = () => runTheirs(run, job)
  await addLoops(group, { tasks, floorName: OURS, quick })
}
