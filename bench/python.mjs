import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createCodeRuntime } from 'code-runtime'
import { interleaved, pause, timed } from './stats.mjs'

const INTERPRETER = spawnSync('python3', ['-I', '-c', 'import sys; print(sys.executable)'], {
  encoding: 'utf8',
}).stdout.trim()

/** A whole process, from spawn to exit. */
const runBare = (args) => timed(() => once(spawn(INTERPRETER, args, { stdio: 'ignore' }), 'exit'))

const ECHO = `
import os
rest = b""
while True:
    piece = os.read(3, 1 << 20)
    if not piece: break
    *lines, rest = (rest + piece).split(b"\\n")
    for line in lines: os.write(3, line + b"\\n")
`

/** JSON lines on descriptor 3, sent back as they are: the floor of a guest's channel. */
const startEcho = () => {
  const child = spawn(INTERPRETER, ['-I', '-S', '-c', ECHO], { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] })
  const pipe = child.stdio[3]
  let wanted = 0
  let resolve = () => {}
  pipe.on('data', (piece) => {
    for (const byte of piece) if (byte === 10) wanted -= 1
    if (wanted <= 0) resolve()
  })
  return {
    echo: (texts) =>
      new Promise((done) => {
        wanted = texts.length
        resolve = done
        pipe.write(`${texts.join('\n')}\n`)
      }),
    stop: () => child.kill('SIGKILL'),
  }
}

export const measurePython = async (report) => {
  if (INTERPRETER === '') return console.log('python3: not found, skipped')
  await starting(report)
  await calling(report)
  await moving(report)
}

const starting = async (report) => {
  const runtime = await createCodeRuntime({ language: 'python', warm: 0 })
  const prepared = await createCodeRuntime({ language: 'python', warm: 1 })
  const results = await interleaved(
    {
      bare: () => runBare(['-I', '-S', '-c', 'pass']),
      asyncio: () => runBare(['-I', '-c', 'import asyncio']),
      cold: () => timed(() => runtime.run({ program: 'return 1' })),
      warm: async () => {
        const ms = await timed(() => prepared.run({ program: 'return 1' }))
        await pause(120)
        return ms
      },
      coldAsyncio: () => timed(() => runtime.run({ program: 'import asyncio\nreturn 1' })),
    },
    25,
  )
  await Promise.all([runtime.dispose(), prepared.dispose()])
  report('Python run, cold', results.cold.medianMs, 'python -I -S -c pass', results.bare.medianMs)
  report('Python run, warm', results.warm.medianMs, 'Python run, cold', results.cold.medianMs)
  report(
    'Python run with asyncio, cold',
    results.coldAsyncio.medianMs,
    "python -I -c 'import asyncio'",
    results.asyncio.medianMs,
  )
}

const CALLS = `
import asyncio, time
start = time.perf_counter()
for n in range(500): await tools.echo(n=n)
one = (time.perf_counter() - start) / 500 * 1000
start = time.perf_counter()
await asyncio.gather(*[tools.echo(n=n) for n in range(1000)])
return [one, (time.perf_counter() - start) * 1000]
`

const calling = async (report) => {
  const echo = startEcho()
  const runtime = await createCodeRuntime({ language: 'python' })
  const bindings = [{ global: 'tools', functions: { echo: async (value) => value } }]
  const text = '{"type":"call","id":1,"args":{"n":1}}'
  const one = []
  const all = []
  const floors = await interleaved(
    {
      one: () =>
        timed(async () => {
          for (let i = 0; i < 500; i += 1) await echo.echo([text])
        }),
      all: () => timed(() => echo.echo(Array.from({ length: 1000 }, () => text))),
      calls: () =>
        timed(async () => {
          const { value } = await runtime.run({ program: CALLS, bindings })
          one.push(value[0])
          all.push(value[1])
        }),
    },
    9,
  )
  echo.stop()
  await runtime.dispose()
  const median = (samples) => samples.toSorted((a, b) => a - b)[samples.length >> 1]
  report('Python binding round trip', median(one), 'bare JSON-line echo', floors.one.medianMs / 500)
  report('Python, 1,000 calls at once', median(all), 'bare JSON-line echo', floors.all.medianMs)
}

const moving = async (report) => {
  for (const [name, size] of [
    ['1 MB', 1e6],
    ['16 MB', 16e6],
  ]) {
    const text = 'x'.repeat(size)
    const echo = startEcho()
    const runtime = await createCodeRuntime({ language: 'python' })
    const bindings = [{ global: 'tools', functions: { take: async (value) => value.length, give: async () => text } }]
    const inProgram = async (call) =>
      (
        await runtime.run({
          program: `import time\ns = "x" * ${size}\nt = time.perf_counter()\n${call}\nreturn (time.perf_counter() - t) * 1000`,
          bindings,
        })
      ).value
    const results = await interleaved(
      {
        bare: () => timed(() => echo.echo([text])),
        argument: () => inProgram('await tools.take(s)'),
        reply: () => inProgram('await tools.give()'),
      },
      5,
    )
    echo.stop()
    await runtime.dispose()
    report(
      `Python, ${name} string as argument`,
      results.argument.medianMs,
      'half a bare echo of it',
      results.bare.medianMs / 2,
    )
    report(
      `Python, ${name} string as reply`,
      results.reply.medianMs,
      'half a bare echo of it',
      results.bare.medianMs / 2,
    )
  }
}
