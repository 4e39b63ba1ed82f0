/** `npm run soak -- --minutes 10`: every backend at full load, and then a look at what is left. */

import { availableParallelism } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ConfigurationError, createCodeRuntime } from 'code-runtime'
import { PROGRAMS, TOOLS } from './programs.mjs'
import { BOUNDS, lookAtRest } from './watch.mjs'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string' } } })
const minutes = Number(values.minutes)
const seed = Number(values.seed ?? Date.now() % 1_000_000)
if (!(minutes > 0) || !Number.isInteger(seed)) throw new Error('usage: --minutes N [--seed N]')

const WARM_UP_SHARE = 0.25
/** A runtime lives for so many runs; then it is disposed, now and then with runs under way. */
const RUNS_OF_A_RUNTIME = 40
const CLIENTS = availableParallelism()

const BACKENDS = [
  {
    name: 'TypeScript',
    language: 'typescript',
    options: { limits: { maxWallMs: 4_000, computeMs: 3_000, maxHeapMb: 64 } },
  },
  { name: 'Python', language: 'python', options: pythonOptions() },
  { name: 'Python, fork server', language: 'python', options: { ...pythonOptions(), forkServer: true } },
]

function pythonOptions() {
  return {
    language: 'python',
    limits: { maxWallMs: 6_000, cpuSeconds: 2, addressSpaceMb: 512, graceMs: 200, maxLogBytes: 16_384 },
  }
}

const random = generator(seed)
const failures = []
const counts = new Map()
process.on('unhandledRejection', (error) => failures.push(`unhandled rejection: ${error?.stack ?? error}`))
process.on('uncaughtException', (error) => failures.push(`uncaught exception: ${error?.stack ?? error}`))

console.log(`soak: ${minutes} min, seed ${seed}, ${CLIENTS} clients for each backend`)
const backends = []
for (const backend of BACKENDS) if (await isAvailable(backend)) backends.push(backend)

await load(minutes * WARM_UP_SHARE)
const before = await lookAtRest()
const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()
counts.clear()
await load(minutes * (1 - WARM_UP_SHARE))
delay.disable()
const after = await lookAtRest()

report()
process.exitCode = failures.length > 0 ? 1 : 0

async function isAvailable({ name, options }) {
  try {
    await (await createCodeRuntime(options)).dispose()
    return true
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    console.log(`skipped: ${name}: ${error.message}`)
    return false
  }
}

async function load(forMinutes) {
  const untilMs = performance.now() + forMinutes * 60_000
  await Promise.all(backends.map((backend) => soak(backend, untilMs)))
}

async function soak(backend, untilMs) {
  while (performance.now() < untilMs) {
    const runtime = await createCodeRuntime({ ...backend.options, warm: Math.floor(random() * 3) })
    const life = { runtime, left: RUNS_OF_A_RUNTIME, isDisposed: false }
    const clients = Array.from({ length: CLIENTS }, () => client(backend, life, untilMs))
    if (random() < 0.2) {
      await pause(200 + random() * 800)
      life.isDisposed = true
      await runtime.dispose()
    }
    await Promise.all(clients)
    await runtime.dispose()
  }
}

async function client(backend, life, untilMs) {
  while (life.left > 0 && !life.isDisposed && performance.now() < untilMs) {
    life.left -= 1
    const programs = PROGRAMS[backend.language]
    await runOne(backend, life, programs[Math.floor(random() * programs.length)])
  }
}

async function runOne(backend, life, { name, program, ends, aborts }) {
  const controller = new AbortController()
  if (aborts) setTimeout(() => controller.abort('enough'), random() * 200)
  const bindings = [{ global: 'tools', functions: TOOLS }]
  const result = await life.runtime.run({ program, bindings, signal: controller.signal })
  const end = result.error?.kind ?? 'value'
  const title = `${backend.name}: a program that ${name}`
  counts.set(title, (counts.get(title) ?? 0) + 1)
  const isDisposal = life.isDisposed && result.error?.message === 'runtime disposed'
  if (![ends].flat().includes(end) && !isDisposal)
    failures.push(`${title} ended as ${end} (${result.error?.message}), not as ${ends}`)
}

function report() {
  const runs = [...counts.values()].reduce((sum, count) => sum + count, 0)
  for (const { name } of backends) {
    const own = [...counts].filter(([title]) => title.startsWith(`${name}:`))
    console.log(`${name}: ${own.reduce((sum, [, count]) => sum + count, 0)} runs of ${own.length} programs`)
  }
  console.table(
    Object.fromEntries(
      Object.entries(BOUNDS).map(([name, bound]) => {
        const growth = after[name] - before[name]
        if (growth > bound) failures.push(`${name} grew by ${growth}, more than ${bound}`)
        return [name, { 'after warming up': before[name], 'at the end': after[name], growth, bound }]
      }),
    ),
  )
  const ms = (nanoseconds) => (nanoseconds / 1e6).toFixed(1)
  console.log(
    `event loop delay: p50 ${ms(delay.percentile(50))} ms, p99 ${ms(delay.percentile(99))} ms, max ${ms(delay.max)} ms`,
  )
  for (const [failure, times] of tally(failures)) console.log(`FAILED (${times}x): ${failure}`)
  console.log(`${runs} runs, ${failures.length} failures; seed ${seed}`)
}

function tally(texts) {
  const found = new Map()
  for (const text of texts) found.set(text, (found.get(text) ?? 0) + 1)
  return found
}

/** Mulberry32. */
function generator(from) {
  let state = from
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
