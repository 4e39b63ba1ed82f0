import { deepStrictEqual, notStrictEqual, ok } from 'node:assert'
import type { Requirement } from '../capabilities.js'
import type { ConformanceCase } from '../case.js'
import { ABSENT, hasShape } from '../check.js'
import { deferred, failsAs, gives, returns, turn } from '../expectations.js'
import { HOST_TRACES } from '../tools.js'

const ODD_NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'then',
  '__class__',
  'my-tool',
  '',
  'hasOwnProperty',
  '\ud800',
  'prototype',
  '0',
]

const NAMES: readonly ConformanceCase[] = [
  {
    section: '4.5',
    title: 'declared names are members by subscript, whatever they are',
    programs: {
      javascript: `const all = []; for (const name of ${JSON.stringify(ODD_NAMES)}) all.push(await (0, tools[name])()); return all`,
      python: `return [await tools[name]() for name in ${JSON.stringify(ODD_NAMES)}]`,
    },
    run: returns(
      ODD_NAMES.map((name) => `it was ${name}`),
      { tools: Object.fromEntries(ODD_NAMES.map((name) => [name, () => `it was ${name}`])) },
    ),
  },
  {
    section: '4.5',
    title: 'undeclared names are not there',
    programs: {
      javascript: `const awaited = await tools; return [awaited === tools, typeof tools.nope, tools.nope?.() ?? null, ['hasOwnProperty', 'constructor', '__proto__', 'toString', 'then'].map((name) => typeof tools[name]), 'nope' in tools]`,
      python: `return [True, 'undefined' if not hasattr(tools, 'nope') else '', None, ['undefined'] * 5, 'nope' in dir(tools)]`,
    },
    run: gives({ value: [true, 'undefined', null, Array(5).fill('undefined'), false], calls: [] }),
  },
  {
    section: '4.5',
    title: 'calling an undeclared name lists what is declared, nearest first',
    programs: { javascript: 'await tools.weahter({})', python: 'await tools.weahter({})' },
    run: async ({ run }) => {
      const { error } = await run({ tools: { forecast: () => 1, weather: () => 1, wether: () => 1 } })
      hasShape(error, { kind: 'exception', message: /weahter[\s\S]*wea?ther, wea?ther, forecast/ })
      ok(!HOST_TRACES.test(error?.message ?? ''), `no trace of the host in ${error?.message}`)
    },
  },
]

const many = (count: number, requires: readonly Requirement[] = []): ConformanceCase => ({
  section: '4.8',
  title: `${count.toLocaleString('en')} calls at once that are answered are fine`,
  programs: {
    javascript: `const all = await Promise.all(Array.from({ length: ${count} }, (_, i) => tools.echo(i))); return [all.length, all.every((n, i) => n === i)]`,
    python: `import asyncio\nall = await asyncio.gather(*[tools.echo(i) for i in range(${count})])\nreturn [len(all), all == list(range(${count}))]`,
  },
  requires,
  run: async ({ run }) => {
    const { calls, ...result } = await run()
    hasShape(result, { error: ABSENT, value: [count, true] })
    deepStrictEqual(
      calls.map(({ id }) => id),
      Array.from({ length: count }, (_, id) => id),
    )
  },
})

const CALLS: readonly ConformanceCase[] = [
  {
    section: '4.6',
    title: 'replies may overtake each other',
    programs: {
      javascript: `const order = []; await Promise.all([tools.second().then(() => order.push('second')), tools.first().then(() => order.push('first'))]); return order`,
      python: `import asyncio\norder = []\nasync def one(call, name):\n  await call\n  order.append(name)\nawait asyncio.gather(one(tools.second(), 'second'), one(tools.first(), 'first'))\nreturn order`,
    },
    run: async ({ run }) => {
      const first = deferred<null>()
      const tools = { second: () => first.promise, first: () => Boolean(setImmediate(first.resolve, null)) }
      hasShape(await run({ tools }), { value: ['first', 'second'] })
    },
  },
  {
    section: '4.7',
    title: 'eight replies of 4 MiB at once arrive whole',
    programs: {
      javascript: `const all = await Promise.all(Array.from({ length: 8 }, () => tools.large())); return all.map((text) => text.length)`,
      python: `import asyncio\nreturn [len(text) for text in await asyncio.gather(*[tools.large() for _ in range(8)])]`,
    },
    requires: ['large-values'],
    run: returns(Array(8).fill(4_194_304), { tools: { large: () => 'x'.repeat(4_194_304) } }),
  },
  many(1_025),
  many(5_000, ['own-thread']),
  {
    section: '4.8',
    title: '1,024 calls that are never answered are fine',
    programs: {
      javascript: `for (let i = 0; i < 1024; i++) tools.hang(); return 1`,
      python: `import asyncio\nkeep = [asyncio.ensure_future(tools.hang()) for _ in range(1024)]\nawait asyncio.sleep(0.2)\nreturn 1`,
    },
    run: gives({ value: 1, calls: (calls: unknown[]) => calls.length === 1_024 }),
  },
  {
    section: '4.8',
    title: '1,025 calls that are never answered end the run',
    programs: {
      javascript: `for (let i = 0; i < 1025; i++) tools.hang(); await new Promise(() => {})`,
      python: `import asyncio\nawait asyncio.gather(*[tools.hang() for _ in range(1025)])`,
    },
    run: failsAs('worker-exit', /1024/),
  },
  {
    section: '4.8',
    title: '1,025 calls that are never answered end the run although it completes in the same turn',
    programs: { javascript: `for (let i = 0; i < 1025; i++) tools.hang(); return 1` },
    run: failsAs('worker-exit'),
  },
  {
    section: '4.10',
    title: 'the signal fires at the end of the run, and late answers are dropped unread',
    programs: {
      javascript: `tools.slow(); await tools.one(); return 1`,
      python: `import asyncio\nt = asyncio.ensure_future(tools.slow())\nawait asyncio.sleep(0)\nawait tools.one()\nreturn 1`,
    },
    reports: ['pydantic/pydantic-ai#5073'],
    run: async ({ run }) => {
      const late = deferred<unknown>()
      const fired: boolean[] = []
      const slow = (_args: unknown, { signal }: { signal: AbortSignal }) => {
        signal.addEventListener('abort', () => fired.push(signal.aborted))
        return late.promise
      }
      const result = await run({ tools: { slow, one: () => 1 } })
      const { object, reads } = countingReads('x')
      late.resolve(object)
      await turn()
      hasShape(result, { value: 1, calls: [{ name: 'slow', state: 'running', durationMs: null }, {}] })
      deepStrictEqual([fired, reads], [[true], []])
    },
  },
  {
    section: '4.10',
    title: 'a late rejection is swallowed without running its getters',
    programs: {
      javascript: `tools.slow(); return 1`,
      python: `import asyncio\nt = asyncio.ensure_future(tools.slow())\nawait asyncio.sleep(0)\nreturn 1`,
    },
    run: async ({ run }) => {
      const late = deferred<unknown>()
      await run({ tools: { slow: () => late.promise } })
      const { object, reads } = countingReads('message')
      late.reject(object)
      await turn()
      deepStrictEqual(reads, [])
    },
  },
  {
    section: '4.10',
    title: 'a binding gets its object as `this` and a signal of the run',
    programs: { javascript: 'return await tools.me()', python: 'return await tools.me()' },
    run: async ({ run }) => {
      const signals: unknown[] = []
      const tools = {
        me(this: unknown, _args: unknown, { signal }: { signal: AbortSignal }) {
          signals.push(signal)
          return this === tools
        },
      }
      hasShape([await run({ tools }), await run({ tools })], [{ value: true }, { value: true }])
      ok(signals[0] instanceof AbortSignal, 'it is an AbortSignal')
      notStrictEqual(signals[0], signals[1])
    },
  },
]

const countingReads = (name: string): { object: object; reads: string[] } => {
  const reads: string[] = []
  const object = Object.defineProperty({}, name, { enumerable: true, get: () => reads.push(name) })
  return { object, reads }
}

export const CALL_CASES: readonly ConformanceCase[] = [...NAMES, ...CALLS]
