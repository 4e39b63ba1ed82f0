import { spawnSync } from 'node:child_process'
import { createCodeRuntime } from 'code-runtime'
import { interleaved, pause, timed } from './stats.mjs'

const DEBIAN = '/usr/bin/python3'
const GATHER = `
import asyncio
return sum(await asyncio.gather(tools.one(), tools.one(), tools.one()))`
const NUMPY = `
import numpy as np
return float(np.arange(1000).sum())`

const bindings = [{ global: 'tools', functions: { one: async () => 1 } }]

export const measureForkServer = async (report) => {
  if (process.platform !== 'linux') return console.log('fork server: no Linux, skipped')
  await starting(report)
  await sustaining(report)
  await preloading(report)
}

const starting = async (report) => {
  const spawned = await createCodeRuntime({ language: 'python', warm: 0 })
  const forked = await createCodeRuntime({ language: 'python', warm: 0, forkServer: true })
  const prepared = await createCodeRuntime({ language: 'python', warm: 1, forkServer: true })
  const results = await interleaved(
    {
      spawned: () => timed(() => spawned.run({ program: GATHER, bindings })),
      forked: () => timed(() => forked.run({ program: GATHER, bindings })),
      prepared: async () => {
        const ms = await timed(() => prepared.run({ program: GATHER, bindings }))
        await pause(60)
        return ms
      },
    },
    25,
  )
  await Promise.all([spawned, forked, prepared].map((runtime) => runtime.dispose()))
  const coldMs = results.spawned.medianMs
  report('Python, three gathered calls, forked', results.forked.medianMs, 'the same, spawned', coldMs)
  report('Python, three gathered calls, forked and prepared', results.prepared.medianMs, 'the same, spawned', coldMs)
}

/** Milliseconds for each run of a closed loop: every client begins its next run when its last one has ended. */
const loop = async (runtime, clients, rounds) => {
  const client = async () => {
    for (let round = 0; round < rounds; round += 1) await runtime.run({ program: GATHER, bindings })
  }
  return (await timed(() => Promise.all(Array.from({ length: clients }, client)))) / (clients * rounds)
}

const sustaining = async (report) => {
  const spawned = await createCodeRuntime({ language: 'python', warm: 0 })
  const forked = await createCodeRuntime({ language: 'python', warm: 0, forkServer: true })
  for (const clients of [1, 4]) {
    const rounds = 20 / clients
    const results = await interleaved(
      { forked: () => loop(forked, clients, rounds), spawned: () => loop(spawned, clients, rounds) },
      9,
    )
    const { medianMs } = results.spawned
    report(`Python, closed loop of ${clients}, a forked run`, results.forked.medianMs, 'a spawned run', medianMs)
  }
  await Promise.all([spawned.dispose(), forked.dispose()])
}

const preloading = async (report) => {
  if (spawnSync(DEBIAN, ['-I', '-c', 'import numpy'], { stdio: 'ignore' }).status !== 0) return
  const options = { language: 'python', pythonBin: DEBIAN, warm: 0 }
  const spawned = await createCodeRuntime(options)
  const forked = await createCodeRuntime({ ...options, forkServer: { preload: ['numpy'] } })
  const results = await interleaved(
    {
      forked: () => timed(() => forked.run({ program: NUMPY })),
      spawned: () => timed(() => spawned.run({ program: NUMPY })),
    },
    15,
  )
  await Promise.all([spawned.dispose(), forked.dispose()])
  report('Python, numpy preloaded, forked', results.forked.medianMs, 'numpy, spawned', results.spawned.medianMs)
}
