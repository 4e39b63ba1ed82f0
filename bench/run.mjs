import { writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { createCodeRuntime } from 'code-runtime'
import { startEcho } from './bare-worker.mjs'
import { CODEC_VALUES, loadCodec } from './codec.mjs'
import { measureForkServer } from './fork-server.mjs'
import { loadOnce } from './load.mjs'
import { measurePython } from './python.mjs'
import { interleaved, pause, summary, timed } from './stats.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const rows = []
const report = (name, ms, floor, floorMs) =>
  rows.push({
    figure: name,
    'median ms': round(ms),
    floor: floor ?? '',
    'floor ms': round(floorMs),
    ratio: round(ms / floorMs),
  })
const round = (amount) => (Number.isFinite(amount) ? Math.round(amount * 1000) / 1000 : '')

await loading()
await starting()
await calling()
await moving()
await encoding()
await measurePython(report)
await measureForkServer(report)
console.table(rows)
const [, , flag, path] = process.argv
if (flag === '--json') {
  await writeFile(
    path,
    JSON.stringify({ node: process.version, cpus: cpus().length, cpu: cpus()[0]?.model, rows }, null, 2),
  )
}

async function loading() {
  const loads = Array.from({ length: 9 }, () => loadOnce(root))
  for (const key of ['import', 'create', 'firstRun'])
    report(`load: ${key}`, summary(loads.map((load) => load[key])).medianMs)
}

async function starting() {
  const cold = await createCodeRuntime({ warm: 0 })
  const warm = await createCodeRuntime({ warm: 1 })
  const program = 'return 1'
  const results = await interleaved(
    {
      bareWorker: () => timed(async () => (await startEcho()).stop()),
      cold: () => timed(() => cold.run({ program })),
      warm: async () => {
        const ms = await timed(() => warm.run({ program }))
        await pause(120)
        return ms
      },
    },
    25,
  )
  await Promise.all([cold.dispose(), warm.dispose()])
  report('run, cold', results.cold.medianMs, 'bare worker, start to stopped', results.bareWorker.medianMs)
  report('run, warm', results.warm.medianMs, 'run, cold', results.cold.medianMs)
}

async function calling() {
  const echo = await startEcho()
  const runtime = await createCodeRuntime()
  const bindings = [{ global: 'tools', functions: { echo: async (value) => value } }]
  const inProgram = async (body) =>
    (await runtime.run({ program: `const t = performance.now(); ${body}; return performance.now() - t`, bindings }))
      .value
  const results = await interleaved(
    {
      bare: () =>
        timed(async () => {
          for (let i = 0; i < 500; i += 1) await echo.echo('{"id":1,"value":{"n":1}}')
        }),
      calls: () => inProgram('for (let i = 0; i < 500; i++) await tools.echo({ n: i })'),
      bareAll: () => timed(() => echo.echoAll(Array.from({ length: 1000 }, (_, i) => `{"id":${i},"value":{"n":1}}`))),
      callsAll: () => inProgram('await Promise.all(Array.from({ length: 1000 }, (_, n) => tools.echo({ n })))'),
    },
    15,
  )
  await Promise.all([echo.stop(), runtime.dispose()])
  report('binding round trip', results.calls.medianMs / 500, 'bare MessagePort echo', results.bare.medianMs / 500)
  report('1,000 calls at once', results.callsAll.medianMs, 'bare MessagePort echo', results.bareAll.medianMs)
}

async function moving() {
  for (const [name, size] of [
    ['1 MB', 1e6],
    ['16 MB', 16e6],
  ]) {
    const text = 'x'.repeat(size)
    const echo = await startEcho()
    const runtime = await createCodeRuntime({ limits: { maxValueBytes: 60e6 } })
    const bindings = [{ global: 'tools', functions: { take: async (value) => value.length, give: async () => text } }]
    const inProgram = async (body) =>
      (
        await runtime.run({
          program: `const s = 'x'.repeat(${size}); const t = performance.now(); ${body}; return performance.now() - t`,
          bindings,
        })
      ).value
    const results = await interleaved(
      {
        bare: () => timed(() => echo.echo(text)),
        argument: () => inProgram('await tools.take(s)'),
        reply: () => inProgram('await tools.give()'),
      },
      7,
    )
    await Promise.all([echo.stop(), runtime.dispose()])
    report(`${name} string as argument`, results.argument.medianMs, 'half a bare echo of it', results.bare.medianMs / 2)
    report(`${name} string as reply`, results.reply.medianMs, 'half a bare echo of it', results.bare.medianMs / 2)
  }
}

async function encoding() {
  const codec = await loadCodec()
  for (const [name, value] of Object.entries(CODEC_VALUES)) {
    const results = await interleaved(
      { native: () => timed(() => JSON.stringify(value)), ours: () => timed(() => codec.encode(value)) },
      11,
    )
    report(`encode ${name}`, results.ours.medianMs, 'JSON.stringify', results.native.medianMs)
  }
}
