import { inChild } from './child.mjs'
import { runJob } from './code-runtime.mjs'
import { liveInterpreter, timeReadyInterpreter } from './floors/interpreter.mjs'
import { liveWorker, timeReadyWorker } from './floors/worker.mjs'
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
      ready: timeReadyWorker,
      ...eachJob(TYPESCRIPT_JOBS, (job) => () => timed(() => liveWorker(job.messages))),
      ...eachRun(TYPESCRIPT_JOBS, open),
    },
    { rounds: quick ? 3 : 25 },
  )
  const ready = { name: 'ready bare Worker: one message and its end', samples: samples.ready }
  for (const [jobName, { messages }] of Object.entries(TYPESCRIPT_JOBS)) {
    const life = { name: `bare Worker, start to end, messages: ${messages}`, samples: samples[jobName] }
    for (const [mode, { isPrepared }] of Object.entries(open)) {
      addRun(group, { jobName, mode, samples, floors: isPrepared ? [ready, life] : [life] })
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
      ready: () => timeReadyInterpreter(python.path),
      site: () => timed(() => liveInterpreter(python.path, ['-I', '-c', 'pass'])),
      ...eachJob(jobs, (job) => () => timed(() => liveInterpreter(python.path, bareArgs(job)))),
      ...eachRun(jobs, open),
    },
    { rounds: quick ? 3 : 25 },
  )
  const ready = { name: 'ready bare python: one line and its end', samples: samples.ready }
  for (const [jobName, job] of Object.entries(jobs)) {
    const life = { name: bareName(job), samples: samples[jobName] }
    const site = { name: "bare python -I -c 'pass'", samples: samples.site }
    for (const [mode, { isPrepared }] of Object.entries(open)) {
      const floors = isPrepared ? [ready, life] : job.imports === 'pass' ? [life, site] : [life]
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

const eachJob = (jobs, taskOf) => Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, taskOf(job)]))

const runName = (jobName, mode) => `${jobName}, ${mode}`

const eachRun = (jobs, open) =>
  Object.fromEntries(
    Object.entries(jobs).flatMap(([jobName, job]) =>
      Object.entries(open).map(([mode, { runtime, isPrepared }]) => [
        runName(jobName, mode),
        async () => {
          const ms = await timed(() => runJob(runtime, job))
          if (isPrepared) await pause(preparedMs(ms))
          return ms
        },
      ]),
    ),
  )

const addRun = (group, { jobName, mode, samples, floors }) => {
  const name = runName(jobName, mode)
  for (const floor of floors) group.add({ name, samples: samples[name], floor })
}
