import { performance } from 'node:perf_hooks'

/** Milliseconds that `task` takes. */
export const timed = async (task) => {
  const startMs = performance.now()
  await task()
  return performance.now() - startMs
}

const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]

export const summarize = (samples) => {
  const sorted = samples.toSorted((a, b) => a - b)
  return { median: percentile(sorted, 0.5), p95: percentile(sorted, 0.95), n: sorted.length }
}

/**
 * Runs the tasks in turns, so that all see the same noise. Each resolves with a sample or several; the first turn
 * warms up and does not count. Beyond `maxMs` no further turn starts once three have counted.
 */
export const inTurns = async (tasks, { rounds, maxMs = Number.POSITIVE_INFINITY }) => {
  const samples = Object.fromEntries(Object.keys(tasks).map((name) => [name, []]))
  const startMs = performance.now()
  for (let round = 0; round <= rounds; round += 1) {
    if (round > 3 && performance.now() - startMs > maxMs) break
    for (const [name, task] of Object.entries(tasks)) {
      const taken = await task()
      if (round > 0) samples[name].push(...[taken].flat())
    }
  }
  return samples
}

/** Clients that each start the next run when the last one ended, until the time is over. */
export const closedLoop = async (task, { clients, ms }) => {
  const samples = []
  const startMs = performance.now()
  const client = async () => {
    while (performance.now() - startMs < ms) samples.push(await timed(task))
  }
  await Promise.all(Array.from({ length: clients }, client))
  return { samples, elapsedMs: performance.now() - startMs }
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
