import { ok, strictEqual } from 'node:assert'
import { COMPUTE_LIMIT, type Requirement } from '../capabilities.js'
import type { ConformanceCase, Programs } from '../case.js'
import { ABSENT, hasShape } from '../check.js'
import { computing } from '../computing.js'
import { failsAs, gives, returns, rows, TOLERANCE_MS } from '../expectations.js'

const WALL_MS = 400

const WAITING = rows<[programs: Programs, ...requires: Requirement[]]>(
  [
    [
      'for what never comes',
      { javascript: 'await new Promise(() => {})', python: 'import asyncio\nawait asyncio.Event().wait()' },
    ],
    ['for a call that is never answered', { javascript: 'await tools.hang()', python: 'await tools.hang()' }],
    ['by Atomics.wait', { javascript: 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)' }, 'platform'],
    [
      'for a timer far away',
      {
        javascript: 'await new Promise((done) => setTimeout(done, 1e9))',
        python: 'import asyncio\nawait asyncio.sleep(1e6)',
      },
      'timers',
    ],
    ['by a sleep that blocks', { python: 'import time\ntime.sleep(1000)' }, 'timers'],
    [
      'for a nested worker',
      {
        javascript: `const { Worker } = await import('node:worker_threads'); new Worker('for (;;) {}', { eval: true }); await new Promise(() => {})`,
      },
      'platform',
    ],
    [
      'in a loop of awaited calls',
      { javascript: 'while (true) await tools.one({})', python: 'while True: await tools.one()' },
    ],
    [
      'while stopped by a signal to itself',
      { python: 'import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\nwhile True: pass' },
      'subprocesses',
    ],
    [
      'with SIGTERM ignored',
      { python: 'import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: time.sleep(1)' },
      'subprocesses',
    ],
  ],
  (programs, ...requires) => ({
    section: '8.1',
    programs,
    requires,
    limits: { maxWallMs: WALL_MS },
    reports: ['(own) node docs', '(signals)'],
    run: async ({ run }) => {
      const { error, usage } = await run()
      hasShape(error, { kind: 'timeout', message: /400 ms.*maxWallMs/ })
      ok(usage.wallMs >= WALL_MS - 1 && usage.wallMs < WALL_MS + TOLERANCE_MS, `it took ${usage.wallMs} ms`)
    },
  }),
  (title) => `waiting without end is ended by the wall: ${title}`,
)

const FREE: ConformanceCase = {
  section: '8.1',
  title: 'waiting is free: a call of 1.5 s is fine under a compute budget of 1 s',
  programs: { javascript: 'return await tools.slow()', python: 'return await tools.slow()' },
  requires: [COMPUTE_LIMIT],
  limits: computing(1_000),
  run: returns('done', { tools: { slow: () => new Promise((resolve) => setTimeout(resolve, 1_500, 'done')) } }),
}

const CALL_BUDGET = { maxBindingCalls: 3 }
const calling = (count: number): Programs => ({
  javascript: `for (let i = 0; i < ${count}; i++) await tools.one(); return ${count}`,
  python: `for i in range(${count}): await tools.one()\nreturn ${count}`,
})

const CALLS: readonly ConformanceCase[] = [
  {
    section: '1.3',
    title: 'the number of calls may reach its budget',
    programs: calling(3),
    limits: CALL_BUDGET,
    run: gives({ value: 3, usage: { bindingCalls: 3 } }),
  },
  {
    section: '1.3',
    title: 'the number of calls may not pass its budget',
    programs: calling(4),
    limits: CALL_BUDGET,
    run: async ({ run }) => {
      let count = 0
      const { error, calls } = await run({ tools: { one: () => ++count } })
      hasShape(error, { kind: 'timeout', message: /3 binding calls.*maxBindingCalls/ })
      hasShape([count, calls.length], [3, 3])
    },
  },
  {
    section: '1.3',
    title: 'an endless loop of calls is ended by their budget',
    programs: { javascript: 'while (true) await tools.one({})', python: 'while True: await tools.one()' },
    limits: CALL_BUDGET,
    run: failsAs('timeout', /maxBindingCalls/),
  },
  {
    section: '1.3',
    title: 'calls that are refused in the guest do not count',
    programs: {
      javascript: `for (let i = 0; i < 9; i++) await tools.one(() => 1).catch(() => {}); return await tools.one()`,
      python: `for i in range(9):\n  try:\n    await tools.one(print)\n  except RuntimeError: pass\nreturn await tools.one()`,
    },
    limits: CALL_BUDGET,
    run: gives({ value: 1, calls: [{ id: 0 }] }),
  },
]

const MEMORY = rows<[programs: Programs, ...requires: Requirement[]]>(
  [
    [
      'pushing onto an array',
      { javascript: 'const all = []; for (let i = 0; i < 1e8; i++) all.push(i, i, i); return all.length' },
      'maxHeapMb',
    ],
    [
      'keeping texts',
      {
        javascript:
          'const all = []; const text = "x".repeat(1e6); for (let i = 0; i < 1e6; i++) all.push(JSON.parse(JSON.stringify(text + i))); return all.length',
      },
      'maxHeapMb',
    ],
  ],
  (programs, ...requires) => ({
    section: '8.2',
    programs,
    requires,
    limits: { maxHeapMb: 64, maxWallMs: 25_000 },
    reports: ['nodejs/node#65019', 'nodejs/node#47224'],
    run: async ({ run }) => {
      hasShape((await run()).error, { kind: 'worker-exit', message: /memory/ })
      hasShape(await run({ program: 'return 1' }), { value: 1, logs: [] })
    },
  }),
  (title) => `running out of memory is a worker-exit, and the next run is clean: ${title}`,
)

const ADDRESS_SPACE: ConformanceCase = {
  section: '1.3',
  title: 'a list over the address space is a MemoryError, and the next run is clean',
  programs: { python: `return len('a' * 10 ** 10)` },
  requires: ['addressSpaceMb'],
  reports: ['huggingface/smolagents#2473'],
  run: async ({ run }) => {
    hasShape((await run()).error, { kind: 'exception', message: /MemoryError/ })
    hasShape(await run({ program: 'return 1' }), { value: 1 })
  },
}

const RECOVERY: readonly ConformanceCase[] = [
  {
    section: '8.1',
    title: 'after a budget ended a run ten more are clean',
    programs: {
      javascript: 'if (await tools.first()) for (;;) {}\nreturn 1',
      python: 'if await tools.first():\n  while True: pass\nreturn 1',
    },
    limits: { maxWallMs: 1_500 },
    reports: ['extremeheat/JSPyBridge#130'],
    run: async ({ run }) => {
      hasShape((await run({ tools: { first: () => true } })).error?.kind, 'timeout')
      for (let i = 0; i < 10; i += 1) {
        hasShape(await run({ tools: { first: () => false } }), { error: ABSENT, value: 1, logs: [] })
      }
    },
  },
  {
    section: '8.1',
    title: 'a budget counts from the run, not from when its guest was prepared',
    programs: { javascript: 'return 1', python: 'return 1' },
    requires: ['prepared-guests'],
    run: async ({ create, program }) => {
      const runtime = await create({ limits: { maxWallMs: 5_000 }, warm: 1 })
      for (let i = 0; i < 3; i += 1) strictEqual((await runtime.run({ program })).value, 1)
    },
  },
]

export const BUDGET_CASES: readonly ConformanceCase[] = [
  ...CALLS,
  ...WAITING,
  FREE,
  ...MEMORY,
  ADDRESS_SPACE,
  ...RECOVERY,
]
