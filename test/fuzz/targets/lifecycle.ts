import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { type CodeRuntime, createCodeRuntime, type FailureKind, type RunResult } from '../../../src/index.js'
import { BACKENDS, type FuzzedBackend } from '../backends.js'
import type { Code } from '../grammar.js'
import { checkResult } from '../invariants.js'
import { children, heldResources } from '../resources.js'
import type { Target } from '../target.js'

const BUDGETS = { maxLogBytes: 4_096, maxValueBytes: 4_096 }
const MAX_WALL_MS = 600
/** Longer than any budget, grace and wait together: whatever is not over then hangs. */
const DEADLINE_MS = 15_000

interface Behaviour {
  readonly code: Code
  /** How it ends when nothing is done to it. */
  readonly ends: 'value' | FailureKind
}

const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  returns: { code: { typescript: 'return 1', python: 'return 1' }, ends: 'value' },
  prints: {
    code: {
      typescript: 'for (let i = 0; i < 2000; i += 1) console.log(i)\nreturn 1',
      python: 'for i in range(2000): print(i)\nreturn 1',
    },
    ends: 'value',
  },
  calls: {
    code: {
      typescript: 'for (let i = 0; i < 30; i += 1) await tools.echo({ i })\nreturn 1',
      python: 'for i in range(30): await tools.echo(i=i)\nreturn 1',
    },
    ends: 'value',
  },
  gathers: {
    code: {
      typescript: 'await Promise.all(Array.from({ length: 200 }, () => tools.big()))\nreturn 1',
      python: 'import asyncio\nawait asyncio.gather(*(tools.big() for _ in range(200)))\nreturn 1',
    },
    ends: 'value',
  },
  waits: { code: { typescript: 'await tools.hang()', python: 'await tools.hang()' }, ends: 'timeout' },
  loops: { code: { typescript: 'for (;;) {}', python: 'while True: pass' }, ends: 'timeout' },
  throws: { code: { typescript: 'throw new Error("x")', python: 'raise Exception("x")' }, ends: 'exception' },
  exits: {
    code: {
      typescript: 'await tools.echo()\nprocess.exit(3)',
      python: 'import os\nawait tools.echo()\nos._exit(3)',
    },
    ends: 'worker-exit',
  },
  dies: {
    code: {
      typescript: 'void tools.big()\nprocess.exit(9)',
      python: 'import asyncio, os\nasyncio.ensure_future(tools.big())\nawait asyncio.sleep(0)\nos.kill(os.getpid(), 9)',
    },
    ends: 'worker-exit',
  },
  leaves: {
    code: {
      typescript: 'setInterval(() => console.log(1), 1)\nreturn 1',
      python: 'import subprocess\nsubprocess.Popen(["sleep", "60"], start_new_session=True)\nreturn 1',
    },
    ends: 'value',
  },
}

interface Moment {
  /** After so many events of a run, or else after so many milliseconds. */
  readonly unit: 'events' | 'ms'
  readonly count: number
}

interface PlannedRun {
  readonly behaviour: string
  readonly startMs: number
  readonly abort: Moment | null
}

interface Plan {
  readonly backend: FuzzedBackend
  readonly warm: number
  readonly maxConcurrentRuns: number
  readonly runs: readonly PlannedRun[]
  readonly dispose: Moment | null
  /** A signal to one of the processes that the host started, its keeper included. */
  readonly strike: { readonly moment: Moment; readonly which: number; readonly signal: NodeJS.Signals } | null
}

const moment = fc.record({ unit: fc.constantFrom('events' as const, 'ms' as const), count: fc.nat(60) })
const plans: fc.Arbitrary<Plan> = fc.record({
  backend: fc.constantFrom(...BACKENDS).map((backend) => ({ ...backend, [fc.toStringMethod]: () => backend.name })),
  warm: fc.nat(2),
  maxConcurrentRuns: fc.constantFrom(4, 1, 2),
  runs: fc.array(
    fc.record({
      behaviour: fc.constantFrom(...Object.keys(BEHAVIOURS)),
      startMs: fc.oneof(fc.constant(0), fc.nat(40)),
      abort: fc.option(moment, { freq: 2 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  dispose: fc.option(moment, { freq: 1 }),
  strike: fc.option(
    fc.record({
      moment,
      which: fc.nat(5),
      signal: fc.constantFrom<NodeJS.Signals>('SIGKILL', 'SIGSTOP', 'SIGTERM', 'SIGXCPU'),
    }),
    { freq: 1 },
  ),
})

const BIG = 'x'.repeat(100_000)
const functions = {
  echo: (args: unknown) => args,
  big: () => BIG,
  hang: () => new Promise<never>(() => {}),
}

/** Acts when its moment comes. */
const at = (due: Moment | null, act: () => void): { readonly event: () => void } => {
  let events = 0
  if (due?.unit === 'ms') setTimeout(act, due.count).unref()
  return {
    event: () => {
      events += 1
      if (due?.unit === 'events' && events === due.count + 1) act()
    },
  }
}

const within = async <Value>(promise: Promise<Value>, what: string): Promise<Value> => {
  const late = new AbortController()
  const deadline = sleep(DEADLINE_MS, undefined, { signal: late.signal }).then(() => assert.fail(`${what} hangs`))
  deadline.catch(() => {})
  return Promise.race([promise, deadline]).finally(() => late.abort())
}

const hit = ({ which, signal }: NonNullable<Plan['strike']>): void => {
  const pids = children()
  const pid = pids[which % pids.length]
  try {
    if (pid !== undefined) process.kill(pid, signal)
  } catch {
    // It is gone by now.
  }
}

const perform = async (
  runtime: CodeRuntime,
  { backend, dispose, strike, runs }: Plan,
): Promise<(RunResult | undefined)[]> => {
  const disposal = at(dispose, () => void runtime.dispose())
  const striking = at(strike?.moment ?? null, () => strike && hit(strike))
  return Promise.all(
    runs.map(async ({ behaviour, startMs, abort }) => {
      const controller = new AbortController()
      const { code } = BEHAVIOURS[behaviour] as Behaviour
      if (startMs > 0) await sleep(startMs)
      const ending = at(abort, () => controller.abort('enough'))
      const onEvent = (): void => {
        ending.event()
        disposal.event()
        striking.event()
      }
      const bindings = [{ global: 'tools', functions }]
      const run = runtime.run({ program: code[backend.language], bindings, signal: controller.signal, onEvent })
      // It was disposed before.
      return run.catch(() => undefined)
    }),
  )
}

const checkEnd = (result: RunResult | undefined, { behaviour, abort }: PlannedRun, { dispose, strike }: Plan): void => {
  if (result === undefined) return assert.notEqual(dispose, null)
  checkResult(result, BUDGETS)
  const end = result.error?.kind ?? 'value'
  const mayAbort = abort !== null || dispose !== null
  // On a busy machine everything may take too long.
  assert.ok(
    end === BEHAVIOURS[behaviour]?.ends ||
      end === 'timeout' ||
      (mayAbort && end === 'abort') ||
      (strike !== null && end === 'worker-exit'),
    `${behaviour} ended as ${end}: ${result.error?.message}`,
  )
}

/** Waits, since handles close in turns of their own, and fails when something stays. */
const requireNothingLeft = async (temp: string, before: readonly string[]): Promise<void> => {
  const untilMs = performance.now() + 3_000
  let held = heldResources(temp)
  while (held.join() !== before.join() && performance.now() < untilMs) {
    await sleep(5)
    held = heldResources(temp)
  }
  assert.deepEqual(held, before)
}

/** Aborts, disposals and deaths at any moment: everything settles in time with a right kind, and nothing is left. */
export const lifecycle: Target = {
  name: 'lifecycle',
  open: async () => {
    const temp = mkdtempSync(join(tmpdir(), 'fuzz-'))
    const { TMPDIR } = process.env
    process.env['TMPDIR'] = temp
    const property = fc.asyncProperty(plans, async (plan) => {
      const before = heldResources(temp)
      const { backend, warm, maxConcurrentRuns } = plan
      const { options } = backend
      const limits = { ...options.limits, ...BUDGETS, maxWallMs: MAX_WALL_MS }
      const runtime = await createCodeRuntime({ ...options, warm, maxConcurrentRuns, limits })
      const results = await within(perform(runtime, plan), 'a run')
      await within(runtime.dispose(), 'dispose')
      for (const [index, result] of results.entries()) checkEnd(result, plan.runs[index] as PlannedRun, plan)
      await requireNothingLeft(temp, before)
    })
    const close = async (): Promise<void> => {
      if (TMPDIR === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = TMPDIR
      rmSync(temp, { recursive: true })
    }
    return { property, close }
  },
}
