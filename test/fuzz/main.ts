import { parseArgs } from 'node:util'
import { type FuzzReport, fuzz } from './harness.js'
import { watchHost } from './host-faults.js'
import { TARGETS } from './targets.js'

const MINUTE_MS = 60_000

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    only: { type: 'string', default: Object.keys(TARGETS).join(',') },
    path: { type: 'string' },
  },
})

const requireNumber = (name: string, text: string): number => {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) throw new Error(`Expected --${name} to be a number, got ${text}`)
  return number
}

const targets = values.only.split(',').map((name) => {
  const target = TARGETS[name]
  if (target === undefined) throw new Error(`Expected --only to be of ${Object.keys(TARGETS)}, got ${name}`)
  return target
})

const print = ({ target, runs, failure }: FuzzReport): void => {
  console.log(`${target}: ${runs} examples, ${failure === undefined ? 'all held' : 'FAILED'}`)
  if (failure === undefined) return
  console.log(`${failure.error}\nexample: ${failure.example}\nagain: ${failure.command}`)
}

const main = async (): Promise<number> => {
  const seed = requireNumber('seed', values.seed)
  const timeMs = (requireNumber('minutes', values.minutes) * MINUTE_MS) / targets.length
  console.log(`seed ${seed}`)
  let failed = 0
  for (const target of targets) {
    const report = await fuzz(target, { seed, timeMs, ...(values.path === undefined ? {} : { path: values.path }) })
    print(report)
    if (report.failure !== undefined) failed += 1
  }
  console.log(`${targets.length - failed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

watchHost()
// Until the end it is a failure: an event loop that runs empty ends the process as well.
process.exitCode = 1
main().then(
  (exitCode) => {
    process.exitCode = exitCode
  },
  (error: unknown) => console.error(error),
)
