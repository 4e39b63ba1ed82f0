import { Bench } from 'tinybench'

/** Samples in milliseconds of synchronous tasks, by tinybench, the tasks in turns. */
export const sampleInTurns = async (tasks, { turns, iterations }) => {
  const samples = Object.fromEntries(Object.keys(tasks).map((name) => [name, []]))
  for (let turn = 0; turn < turns; turn += 1) {
    const bench = new Bench({
      iterations,
      time: 0,
      warmupIterations: 1,
      warmupTime: 0,
      retainSamples: true,
      throws: true,
    })
    for (const [name, task] of Object.entries(tasks)) bench.add(name, task)
    await bench.run()
    for (const { name, result } of bench.tasks) samples[name].push(...result.latency.samples)
  }
  return samples
}
