import { performance } from 'node:perf_hooks'
import { runJob } from './code-runtime.mjs'
import { inTurns, pause } from './measure.mjs'
import { preparedMs } from './runtimes.mjs'

const PHASES = [
  ['starting', 'running', 'the guest starts'],
  ['running', 'settling', 'the program runs'],
  ['settling', 'done', 'the guest ends'],
]

/** Where the time of a run goes: each phase beside the whole. */
export const addPhases = async (group, open, { jobName, job, rounds }) => {
  const tasks = Object.fromEntries(
    Object.entries(open).map(([mode, { runtime, isPrepared }]) => [
      mode,
      async () => {
        const times = await timesOfStates(runtime, job)
        await pause(isPrepared ? preparedMs(times.done) : 0)
        return times
      },
    ]),
  )
  const samples = await inTurns(tasks, { rounds })
  for (const [mode, runs] of Object.entries(samples)) {
    const floor = { name: 'the whole run', samples: runs.map(({ done }) => done) }
    for (const [from, to, what] of PHASES) {
      group.add({ name: `${jobName}, ${mode}: ${what}`, samples: runs.map((run) => run[to] - run[from]), floor })
    }
  }
}

/** When each state began, from the call of `run()`. */
const timesOfStates = async (runtime, job) => {
  const times = {}
  const startMs = performance.now()
  const onEvent = ({ type, state }) => {
    if (type === 'state') times[state] = performance.now() - startMs
  }
  await runJob({ run: (request) => runtime.run({ ...request, onEvent }) }, job)
  return times
}
