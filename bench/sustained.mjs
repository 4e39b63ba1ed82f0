import { runJob } from './code-runtime.mjs'
import { liveInterpreter } from './floors/interpreter.mjs'
import { liveWorker } from './floors/worker.mjs'
import { bareArgs, bareName, NUMPY_JOB, PYTHON_JOBS, TYPESCRIPT_JOBS } from './jobs.mjs'
import { addLoops } from './loops.mjs'
import { closeModes, NUMPY_MODES, openModes, PYTHON_MODES, TYPESCRIPT_MODES } from './runtimes.mjs'

/** A closed loop of 1 and of 4 clients for some seconds. */
export const measure = async (context) => {
  const typescript = context.report.group('sustained, TypeScript')
  await measureJobs(context, typescript, {
    jobs: TYPESCRIPT_JOBS,
    modes: TYPESCRIPT_MODES,
    options: {},
    bareOf: ({ messages }) => ({
      name: `bare Worker, start to end, messages: ${messages}`,
      task: () => liveWorker(messages),
    }),
  })
  for (const python of context.pythons) await measurePython(context, python, PYTHON_JOBS, PYTHON_MODES)
  if (context.numpyPython === undefined) {
    return context.report.group('sustained, numpy').skip('import numpy', 'no interpreter here has numpy')
  }
  await measurePython(context, context.numpyPython, { 'import numpy': NUMPY_JOB }, NUMPY_MODES)
}

const measurePython = (context, { path, label }, jobs, modes) =>
  measureJobs(context, context.report.group(`sustained, ${label}`), {
    jobs,
    modes,
    options: { language: 'python', pythonBin: path },
    bareOf: (job) => ({ name: bareName(job), task: () => liveInterpreter(path, bareArgs(job)) }),
  })

const measureJobs = async ({ quick }, group, { jobs, modes, options, bareOf }) => {
  for (const [jobName, job] of Object.entries(jobs)) {
    const open = await openModes(modes, options, (mode, reason) => group.skip(`${jobName}, ${mode}`, reason))
    const bare = bareOf(job)
    const tasks = { [bare.name]: bare.task }
    for (const [mode, { runtime }] of Object.entries(open)) tasks[`${jobName}, ${mode}`] = () => runJob(runtime, job)
    await addLoops(group, { tasks, floorName: bare.name, quick })
    await closeModes(open)
  }
}
