import { performance } from 'node:perf_hooks'

/** Milliseconds that `task` takes. */
export const timed = async (task) => {
  const startMs = performance.now()
  await task()
  return performance.now() - startMs
}

const percentile = (samples, share) => {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

export const summary = (samples) => ({
  medianMs: percentile(samples, 0.5),
  p95Ms: percentile(samples, 0.95),
  runs: samples.length,
})

/** Runs the tasks in turns, so that all see the same noise; the first turn warms up and does not count. */
export const interleaved = async (tasks, rounds) => {
  const samples = Object.fromEntries(Object.keys(tasks).map((name) => [name, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, task] of Object.entries(tasks)) {
      const ms = await task()
      if (round > 0) samples[name].push(ms)
    }
  }
  return Object.fromEntries(Object.entries(samples).map(([name, ms]) => [name, summary(ms)]))
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
