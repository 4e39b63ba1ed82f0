import { inChild } from './child.mjs'
import { runJob } from './code-runtime.mjs'
import { liveInterpreter, timeReadyInterpreter } from './floors/interpreter.mjs'
import { timeNewWorker, timeReadyWorker } from './floors/worker.mjs'
import { bareArgs, bareName, NUMPY_JOB, PYTHON_JOBS, TYPESCRIPT_JOBS } from './jobs.mjs'
import { inTurns, pause, timed } from './measure.mjs'
import { addPhases } from './phases.mjs'
import { closeModes, NUMPY_MODES, openModes, PYTHON_MODES, preparedMs, TYPESCRIPT_MODES } from './runtimes.mjs'

/** From `run()` to its result: cold, and with a guest that is ready. */
export const measure = async (context) => {
  await measureLoad(context)
  await measureTypeScript(context)
  for (const python of context.pythons) await measurePython(context, python, PYTHON_JOBS, PYTHON_MODES)
  if (context.numpyPython === undefined) {
    return context.report.group('start, numpy').skip('import numpy', 'no interpreter here has numpy')
  }
  await measurePython(context, context.numpyPython, { 'import numpy': NUMPY_JOB }, NUMPY_MODES)
}

const measureLoad = async ({ report, quick }) => {
  const group = report.group('start, loading the package')
  const samples = await inTurns(
    {
      node: async () => (await inChild('./load-child.mjs', { bare: true })).processMs,
      loads: () => inChild('./load-child.mjs', { bare: false }),
    },
    { rounds: quick ? 2 : 9 },
  )
  const floor = { name: 'an empty node process, start to ready', samples: samples.node }
  for (const [key, name] of [
    ['importMs', 'import'],
    ['createMs', 'first createCodeRuntime()'],
    ['firstRunMs', 'first run, the transformer loaded'],
  ]) {
    group.add({ name, samples: samples.loads.map((load) => load[key]), floor })
  }
}

const measureTypeScript = async ({ report, quick }) => {
  const group = report.group('start, TypeScript')
  const open = await openModes(TYPESCRIPT_MODES, {}, group.skip)
  const samples = await inTurns(
    {
      ...eachJob(TYPESCRIPT_JOBS, newName, ({ messages }) => timeNewWorker(messages)),
      ...eachJob(TYPESCRIPT_JOBS, readyName, ({ messages }) => timeReadyWorker(messages)),
      ...eachRun(TYPESCRIPT_JOBS, open),
    },
    { rounds: quick ? 3 : 25 },
  )
  const floorOf = (name) => ({ name, samples: samples[name] })
  for (const [jobName, job] of Object.entries(TYPESCRIPT_JOBS)) {
    const fresh = floorOf(newName(job))
    for (const [mode, { isPrepared }] of Object.entries(open)) {
      const floors = isPrepared ? [floorOf(readyName(job)), fresh] : [fresh]
      addRun(group, { jobName, mode, samples, floors })
    }
  }
  await addPhasesOfFirst(group, open, TYPESCRIPT_JOBS, quick)
  await closeModes(open)
}

const measurePython = async ({ report, quick }, python, jobs, modes) => {
  const group = report.group(`start, ${python.label}`)
  const skip = (mode, reason) => {
    for (const jobName of Object.keys(jobs)) group.skip(`${jobName}, ${mode}`, reason)
  }
  const open = await openModes(modes, { language: 'python', pythonBin: python.path }, skip)
  const samples = await inTurns(
    {
      [READY]: () => timeReadyInterpreter(python.path),
      [SITE]: () => timed(() => liveInterpreter(python.path, ['-I', '-c', 'pass'])),
      ...eachJob(jobs, bareName, (job) => timed(() => liveInterpreter(python.path, bareArgs(job)))),
      ...eachRun(jobs, open),
    },
    { rounds: quick ? 3 : 25 },
  )
  const floorOf = (name) => ({ name, samples: samples[name] })
  for (const [jobName, job] of Object.entries(jobs)) {
    const bare = floorOf(bareName(job))
    for (const [mode, { isPrepared }] of Object.entries(open)) {
      const second = job.imports === 'pass' ? [floorOf(SITE)] : []
      const floors = isPrepared ? [floorOf(READY), bare] : [bare, ...second]
      addRun(group, { jobName, mode, samples, floors })
    }
  }
  await addPhasesOfFirst(group, open, jobs, quick)
  await closeModes(open)
}

const addPhasesOfFirst = (group, open, jobs, quick) => {
  const [[jobName, job]] = Object.entries(jobs)
  return addPhases(group, open, { jobName, job, rounds: quick ? 1 : 11 })
}

/** A thread is torn down behind its answer: the next figure shall not pay for it. */
const TEARDOWN_MS = 20
const READY = 'ready bare python: one line and its end'
const SITE = "bare python -I -c 'pass'"
const newName = ({ messages }) => `bare Worker, start to answer, messages: ${messages}`
const readyName = ({ messages }) => `ready bare Worker, messages: ${messages}`

const eachJob = (jobs, nameOf, taskOf) =>
  Object.fromEntries(Object.values(jobs).map((job) => [nameOf(job), () => taskOf(job)]))

const runName = (jobName, mode) => `${jobName}, ${mode}`

const eachRun = (jobs, open) =>
  Object.fromEntries(
    Object.entries(jobs).flatMap(([jobName, job]) =>
      Object.entries(open).map(([mode, { runtime, isPrepared }]) => [
        runName(jobName, mode),
        async () => {
          const ms = await timed(() => runJob(runtime, job))
          await pause(isPrepared ? preparedMs(ms) : TEARDOWN_MS)
          return ms
        },
      ]),
    ),
  )

const addRun = (group, { jobName, mode, samples, floors }) => {
  const name = runName(jobName, mode)
  for (const floor of floors) group.add({ name, samples: samples[name], floor })
}
