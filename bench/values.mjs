import { createCodeRuntime, runJob } from './code-runtime.mjs'
import { startEchoInterpreter } from './floors/interpreter.mjs'
import { startEchoWorker } from './floors/worker.mjs'
import { inTurns, timed } from './measure.mjs'

const row = (id) => ({ id, name: `row ${id}`, score: id / 7, tags: ['a', 'b'] })

const VALUES = {
  '1 MB string': 'x'.repeat(1e6),
  '16 MB string': 'x'.repeat(16e6),
  '1 MB of rows': Array.from({ length: 15_000 }, (_, id) => row(id)),
  '16 MB of rows': Array.from({ length: 240_000 }, (_, id) => row(id)),
}

const typescript = (call) => `
  const value = await tools.give()
  const start = performance.now()
  ${call}
  return performance.now() - start`

const python = (call) => `
import time
value = await tools.give()
start = time.perf_counter()
${call}
return (time.perf_counter() - start) * 1000`

/** Large values in both directions, measured in the program, against the bare channel. */
export const measure = async (context) => {
  const worker = await startEchoWorker()
  await measureChannel(context, 'values, TypeScript', { program: typescript, channel: worker, options: {} })
  for (const { path, label } of context.pythons) {
    const pipe = startEchoInterpreter(path)
    const channel = { echo: (text) => pipe.echo([text]), stop: pipe.stop }
    const options = { language: 'python', pythonBin: path }
    await measureChannel(context, `values, ${label}`, { program: python, channel, options })
  }
}

const measureChannel = async ({ report, quick }, name, { program, channel, options }) => {
  const group = report.group(name)
  const runtime = await createCodeRuntime(options)
  for (const [valueName, value] of Object.entries(VALUES)) {
    const bindings = [{ global: 'tools', functions: { take: async () => null, give: async () => value } }]
    const samples = await inTurns(
      {
        bare: () => timeOneWay(channel, value),
        argument: () => runJob(runtime, { program: program('await tools.take(value)'), bindings }),
        reply: () => runJob(runtime, { program: program('await tools.give()'), bindings }),
      },
      { rounds: quick ? 2 : 7 },
    )
    const half = typeof value === 'string' ? 'half a bare echo' : 'JSON.stringify, half a bare echo, JSON.parse'
    const floor = { name: half, samples: samples.bare }
    for (const way of ['argument', 'reply']) group.add({ name: `${valueName} as ${way}`, samples: samples[way], floor })
  }
  await Promise.all([channel.stop(), runtime.dispose()])
}

/** A string as it is; anything else as the JSON text that it must become and be read from. */
const timeOneWay = async (channel, value) => {
  if (typeof value === 'string') return (await timed(() => channel.echo(value))) / 2
  let text = ''
  const writeMs = await timed(() => {
    text = JSON.stringify(value)
  })
  const echoMs = await timed(() => channel.echo(text))
  return writeMs + echoMs / 2 + (await timed(() => JSON.parse(text)))
}
