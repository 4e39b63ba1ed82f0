import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { hostFaults } from './host-faults.js'
import type { Target } from './target.js'

export interface FuzzOptions {
  readonly seed: number
  readonly timeMs: number
  /** The way to one example, from an earlier report. */
  readonly path?: string
}

export interface FuzzReport {
  readonly target: string
  readonly runs: number
  /** Undefined when all held. */
  readonly failure?: FuzzFailure
}

export interface FuzzFailure {
  readonly example: string
  readonly error: string
  /** What to type to see it again. */
  readonly command: string
}

const SHRINK_MS = 60_000
const ENDLESS = 1_000_000_000

/** Checks a target on random examples for some time. A failing example is shrunk. */
export const fuzz = async (target: Target, { seed, timeMs, path }: FuzzOptions): Promise<FuzzReport> => {
  const { property, close } = await target.open()
  const guarded = guard(property)
  try {
    const search = { seed, numRuns: ENDLESS, interruptAfterTimeLimit: timeMs, endOnFailure: true }
    const found = path === undefined ? await fc.check(guarded, search) : undefined
    const start = path ?? (found?.failed ? found.counterexamplePath : null)
    if (found !== undefined && start === null) return { target: target.name, runs: found.numRuns }
    const shrunk = await fc.check(guarded, {
      seed,
      path: start ?? '',
      numRuns: 1,
      interruptAfterTimeLimit: SHRINK_MS,
    })
    return {
      target: target.name,
      runs: found?.numRuns ?? shrunk.numRuns,
      ...(shrunk.failed ? { failure: describe(target, shrunk) } : unstable(target, found)),
    }
  } finally {
    await close()
  }
}

/** What the host did not contain belongs to the example that caused it. */
const guard = (property: fc.IAsyncProperty<unknown>): fc.IAsyncProperty<unknown> => {
  const { run } = property
  property.run = async (value) => {
    const failure = await run.call(property, value)
    // An unhandled rejection is told at the end of the turn.
    await nextTurn()
    const [fault] = hostFaults()
    return failure ?? (fault === undefined ? null : { error: fault })
  }
  return property
}

const describe = (
  { name }: Target,
  { seed, counterexample, counterexamplePath, errorInstance }: fc.RunDetails<unknown>,
): FuzzFailure => ({
  example: fc.stringify(counterexample),
  error: errorInstance instanceof Error ? (errorInstance.stack ?? errorInstance.message) : String(errorInstance),
  command: `npm run fuzz -- --only ${name} --seed ${seed} --path ${counterexamplePath}`,
})

/** It failed once and held the next time: time had a part in it. It is a failure all the same. */
const unstable = (target: Target, found: fc.RunDetails<unknown> | undefined): { failure?: FuzzFailure } =>
  found === undefined ? {} : { failure: describe(target, found) }
