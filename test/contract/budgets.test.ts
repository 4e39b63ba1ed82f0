import { describe, expect, it } from 'vitest'
import { TOOLS } from '../support/runtimes.js'
import { onEveryBackend, type Programs } from './backends.js'

/** How late a budget may act: one sample, the stop, and a busy machine. */
const TOLERANCE_MS = 4_000

const ENDLESS: readonly (readonly [title: string, programs: Programs])[] = [
  ['a loop', { typescript: 'for (;;) {}', python: 'while True: pass' }],
  ['a loop in a then', { typescript: 'Promise.resolve().then(() => { for (;;) {} }); await new Promise(() => {})' }],
  [
    'a loop in a then, after the return',
    {
      typescript:
        'let go; new Promise((resolve) => { go = resolve }).then(() => { for (;;) {} }); go(); await null; return 1',
    },
  ],
  [
    'an endless chain of microtasks',
    { typescript: 'const again = () => { queueMicrotask(again) }; again(); await new Promise(() => {})' },
  ],
  [
    'an endless chain of ticks',
    { typescript: 'const again = () => { process.nextTick(again) }; again(); await new Promise(() => {})' },
  ],
  [
    'an endless chain of immediates',
    { typescript: 'const again = () => { setImmediate(again) }; again(); await new Promise(() => {})' },
  ],
  [
    'a loop after one awaited call',
    { typescript: 'await tools.one(); for (;;) {}', python: 'await tools.one()\nwhile True: pass' },
  ],
  [
    'a loop that catches everything',
    {
      typescript: 'for (;;) { try { for (;;) {} } catch {} finally { continue } }',
      python: 'while True:\n  try:\n    while True: pass\n  except BaseException: pass',
    },
  ],
  ['a loop in a getter of the completion', { typescript: 'return { get x() { for (;;) {} } }' }],
  [
    'a loop in the message of an error',
    { typescript: `throw Object.defineProperty(new Error(), 'message', { get() { for (;;) {} } })` },
  ],
  ['a loop in a class name', { typescript: `throw { get constructor() { for (;;) {} } , toString() { throw 1 } }` }],
  [
    'a loop in toString',
    {
      typescript: 'throw { toString() { for (;;) {} } }',
      python: 'class E(Exception):\n  def __str__(self):\n    while True: pass\nraise E()',
    },
  ],
  [
    'a loop in prepareStackTrace',
    { typescript: 'Error.prepareStackTrace = () => { for (;;) {} }; throw new Error("x")' },
  ],
  ['a loop in a trap of a proxy', { typescript: 'return new Proxy({}, { ownKeys() { for (;;) {} } })' }],
  ['a loop in an exit listener', { typescript: `process.on('exit', () => { for (;;) {} }); process.exit(0)` }],
  [
    'a loop in an uncaughtException listener',
    {
      typescript: `process.on('uncaughtException', () => { for (;;) {} }); setTimeout(() => { throw 1 }); await new Promise(() => {})`,
    },
  ],
  [
    'a catastrophic expression',
    {
      typescript: `return /^(a+)+$/.test('a'.repeat(40) + 'b')`,
      python: `import re\nreturn bool(re.match('^(a+)+$', 'a' * 40 + 'b'))`,
    },
  ],
  [
    'an endless generator',
    {
      typescript: 'return [...(function* () { for (;;) yield* [] })()]',
      python: 'return list(x for x in iter(int, 1) if x)',
    },
  ],
  [
    'a sort that never ends',
    {
      typescript: 'return [3, 2, 1].sort(() => { for (;;) {} })',
      python: 'return sorted([3, 2, 1], key=lambda x: [None for _ in iter(int, 1)])',
    },
  ],
  ['code of eval', { typescript: `(0, eval)('for (;;) {}')`, python: `exec('while True: pass')` }],
  [
    'a loop in another context',
    { typescript: `const vm = await import('node:vm'); vm.runInNewContext('for (;;) {}')` },
  ],
]

const WAITING: readonly (readonly [title: string, programs: Programs])[] = [
  [
    'a promise that never settles',
    { typescript: 'await new Promise(() => {})', python: 'import asyncio\nawait asyncio.Event().wait()' },
  ],
  ['a call that is never answered', { typescript: 'await tools.hang()', python: 'await tools.hang()' }],
  ['Atomics.wait', { typescript: 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)' }],
  [
    'a timer far away',
    {
      typescript: 'await new Promise((done) => setTimeout(done, 1e9))',
      python: 'import asyncio\nawait asyncio.sleep(1e6)',
    },
  ],
  ['a sleep that blocks', { python: 'import time\ntime.sleep(1000)' }],
  [
    'a nested worker',
    {
      typescript: `const { Worker } = await import('node:worker_threads'); new Worker('for (;;) {}', { eval: true }); await new Promise(() => {})`,
    },
  ],
  [
    'a loop of awaited calls',
    { typescript: 'while (true) await tools.one({})', python: 'while True: await tools.one()' },
  ],
]

const endsAs = (error: { kind: string; message: string } | undefined, message: RegExp): void => {
  expect(error?.message).toMatch(message)
  expect(error?.kind).toBe('timeout')
}

onEveryBackend((backend) => {
  describe('what computes without end is ended by the compute budget', () => {
    const run = backend.use({ ...backend.has.compute(300), maxWallMs: 30_000 })
    backend.each(
      ENDLESS.map(([title, programs]) => [title, programs] as const),
      async (program) => {
        const { error, usage } = await run(program, { tools: TOOLS })
        // A completion may come before a loop of the same turn begins; nothing else may end these.
        if (error !== undefined) endsAs(error, backend.has.computeMessage)
        expect(usage.wallMs).toBeLessThan(300 + TOLERANCE_MS)
      },
    )
  })

  describe('what waits without end is ended by the wall', () => {
    const run = backend.use({ maxWallMs: 400 })
    backend.each(
      WAITING.map(([title, programs]) => [title, programs] as const),
      async (program) => {
        const { error, usage } = await run(program, { tools: TOOLS })
        endsAs(error, /400 ms.*maxWallMs/)
        expect(usage.wallMs).toBeGreaterThanOrEqual(399)
        expect(usage.wallMs).toBeLessThan(400 + TOLERANCE_MS)
      },
    )
  })

  describe('waiting is free', () => {
    const run = backend.use(backend.has.compute(1_000))
    backend.it(
      'a call of 1.5 s is fine under a compute budget of 1 s',
      { typescript: 'return await tools.slow()', python: 'return await tools.slow()' },
      async (program) => {
        const slow = () => new Promise((resolve) => setTimeout(resolve, 1_500, 'done'))
        expect(await run(program, { tools: { slow } })).toMatchObject({ value: 'done' })
      },
    )
  })

  describe('the number of calls', () => {
    const run = backend.use({ maxBindingCalls: 3 })
    const calling = (count: number): Programs => ({
      typescript: `for (let i = 0; i < ${count}; i++) await tools.one(); return ${count}`,
      python: `for i in range(${count}): await tools.one()\nreturn ${count}`,
    })
    backend.it('may reach its budget', calling(3), async (program) => {
      expect(await run(program, { tools: TOOLS })).toMatchObject({ value: 3, usage: { bindingCalls: 3 } })
    })

    backend.it('may not pass it', calling(4), async (program) => {
      let count = 0
      const { error, calls } = await run(program, { tools: { one: () => ++count } })
      endsAs(error, /3 binding calls.*maxBindingCalls/)
      expect([count, calls.length]).toEqual([3, 3])
    })

    backend.it(
      'ends an endless loop of calls',
      { typescript: 'while (true) await tools.one({})', python: 'while True: await tools.one()' },
      async (program) => {
        endsAs((await run(program, { tools: TOOLS })).error, /maxBindingCalls/)
      },
    )

    backend.it(
      'calls refused in the guest do not count',
      { typescript: `for (let i = 0; i < 9; i++) await tools.one(() => 1).catch(() => {}); return await tools.one()` },
      async (program) => {
        expect(await run(program, { tools: TOOLS })).toMatchObject({ value: 1, calls: [{ id: 0 }] })
      },
    )
  })

  describe('after a budget ended a run', () => {
    const run = backend.use({ maxWallMs: 1_500 })
    backend.it(
      'ten more are clean',
      {
        typescript: 'if (await tools.first()) for (;;) {}\nreturn 1',
        python: 'if await tools.first():\n  while True: pass\nreturn 1',
      },
      async (program) => {
        const first = await run(program, { tools: { first: () => true } })
        expect(first.error?.kind).toBe('timeout')
        for (let i = 0; i < 10; i += 1) {
          expect(await run(program, { tools: { first: () => false } })).toMatchObject({ value: 1, logs: [] })
        }
      },
    )
  })

  it('a budget counts from the run, not from the runtime', async () => {
    const runtime = await backend.create({ limits: { maxWallMs: 5_000 }, ...backend.warm(1) })
    const program = 'return 1'
    for (let i = 0; i < 3; i += 1) expect(await runtime.run({ program })).toMatchObject({ value: 1 })
    await runtime.dispose()
  })
})
