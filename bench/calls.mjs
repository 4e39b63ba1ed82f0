import { createCodeRuntime, runJob } from './code-runtime.mjs'
import { startEchoInterpreter } from './floors/interpreter.mjs'
import { startEchoWorker } from './floors/worker.mjs'
import { inTurns, timed } from './measure.mjs'

const CALLS = 500
const AT_ONCE = 1000
const TEXT = '{"type":"call","id":1,"args":{"n":1}}'
const BINDINGS = [{ global: 'tools', functions: { echo: async (value) => value } }]

const TYPESCRIPT = {
  one: `
    const times = []
    for (let n = 0; n < ${CALLS}; n++) {
      const start = performance.now()
      await tools.echo({ n })
      times.push(performance.now() - start)
    }
    return times`,
  atOnce: `
    const start = performance.now()
    await Promise.all(Array.from({ length: ${AT_ONCE} }, (_, n) => tools.echo({ n })))
    return performance.now() - start`,
}

const PYTHON = {
  one: `
import time
times = []
for n in range(${CALLS}):
    start = time.perf_counter()
    await tools.echo(n=n)
    times.append((time.perf_counter() - start) * 1000)
return times`,
  atOnce: `
import asyncio, time
start = time.perf_counter()
await asyncio.gather(*[tools.echo(n=n) for n in range(${AT_ONCE})])
return (time.perf_counter() - start) * 1000`,
}

/** What a call of a binding costs, measured in the program, against the bare channel. */
export const measure = async (context) => {
  const worker = await startEchoWorker()
  const echoWorker = { one: () => worker.echo(TEXT), atOnce: (texts) => worker.echoAll(texts), stop: worker.stop }
  await measureChannel(context, 'calls, TypeScript', { programs: TYPESCRIPT, floor: echoWorker, options: {} })
  for (const { path, label } of context.pythons) {
    const { echo, stop } = startEchoInterpreter(path)
    const floor = { one: () => echo([TEXT]), atOnce: echo, stop }
    const options = { language: 'python', pythonBin: path }
    await measureChannel(context, `calls, ${label}`, { programs: PYTHON, floor, options })
  }
}

const measureChannel = async ({ report, quick }, name, { programs, floor, options }) => {
  const group = report.group(name)
  const texts = Array.from({ length: AT_ONCE }, () => TEXT)
  const runtime = await createCodeRuntime(options)
  const samples = await inTurns(
    {
      bareOne: () => timeEach(CALLS, floor.one),
      one: () => runJob(runtime, { program: programs.one, bindings: BINDINGS }),
      bareAtOnce: () => timed(() => floor.atOnce(texts)),
      atOnce: () => runJob(runtime, { program: programs.atOnce, bindings: BINDINGS }),
    },
    { rounds: quick ? 3 : 15 },
  )
  await Promise.all([floor.stop(), runtime.dispose()])
  group.add({ name: 'round trip', samples: samples.one, floor: { name: 'bare echo', samples: samples.bareOne } })
  const floorAtOnce = { name: `${AT_ONCE} bare echoes at once`, samples: samples.bareAtOnce }
  group.add({ name: `${AT_ONCE} calls at once`, samples: samples.atOnce, floor: floorAtOnce })
}

const timeEach = async (count, task) => {
  const samples = []
  for (let i = 0; i < count; i += 1) samples.push(await timed(task))
  return samples
}
