import { deepStrictEqual, notStrictEqual, ok } from 'node:assert'
import type { BindingNamespace } from '../../../domain/request.js'
import type { Requirement } from '../capabilities.js'
import type { ConformanceCase, Programs } from '../case.js'
import { ABSENT, hasShape } from '../check.js'
import { deferred, failsAs, gives, returns, rows, turn } from '../expectations.js'
import { HOST_TRACES, unconvertible, withThrowingGetter } from '../tools.js'

const PLACEHOLDER = /cannot be converted to text/
const withMessage = (message: unknown): Error => Object.assign(new Error('x'), { message })
const thrower = (thrown: unknown) => () => {
  throw thrown
}

const ARGUMENTS = rows<[programs: Programs, value: unknown]>(
  [
    [
      'one object is the argument',
      {
        javascript: 'return await tools.echo({ a: [1, null, "x"] })',
        python: 'return await tools.echo({"a": [1, None, "x"]})',
      },
      { a: [1, null, 'x'] },
    ],
    [
      'no argument is an empty object',
      { javascript: 'return await tools.echo()', python: 'return await tools.echo()' },
      {},
    ],
    ['an explicit undefined counts as none', { javascript: 'return await tools.echo(undefined)' }, {}],
    ['null is null', { javascript: 'return await tools.echo(null)', python: 'return await tools.echo(None)' }, null],
    ['a plain value is a value', { javascript: 'return await tools.echo(5)', python: 'return await tools.echo(5)' }, 5],
    [
      'keywords are members of one object',
      { python: 'return await tools.echo(city="Oslo", n=1)' },
      { city: 'Oslo', n: 1 },
    ],
  ],
  (programs, value) => ({
    section: '4.1',
    programs,
    run: gives({ value: (actual: unknown) => deepStrictEqual(actual, value) === undefined, calls: [{ id: 0 }] }),
  }),
)

const wrongCall = (calls: Programs): Programs => ({
  ...(calls['javascript'] && {
    javascript: `try { await ${calls['javascript']} } catch (error) { return [error instanceof TypeError, error.message] }`,
  }),
  ...(calls['python'] && {
    python: `try:\n  await ${calls['python']}\nexcept TypeError as error:\n  return [True, str(error)]`,
  }),
})

const WRONG_FORMS = rows<[calls: Programs]>(
  [
    [
      'two arguments are a TypeError that shows the form',
      { javascript: 'tools.echo(1, 2)', python: 'tools.echo(1, 2)' },
    ],
    ['a second argument of undefined is one too many', { javascript: 'tools.echo({}, undefined)' }],
    ['a position and keywords at once are a TypeError', { python: 'tools.echo({}, a=1)' }],
  ],
  (calls) => ({
    section: '4.1',
    programs: wrongCall(calls),
    run: gives({ value: [true, /tools\.echo\(/], calls: [] }),
  }),
)

const lossyCall = (args: Programs): Programs => ({
  ...(args['javascript'] && {
    javascript: `let text; try { await tools.echo(${args['javascript']}) } catch (error) { text = error.message } return [text, await tools.one()]`,
  }),
  ...(args['python'] && {
    python: `text = None\ntry:\n  await tools.echo(${args['python']})\nexcept RuntimeError as error:\n  text = str(error)\nreturn [text, await tools.one()]`,
  }),
})

const LOSSY_ARGUMENTS = rows<[args: Programs, path: string]>(
  [
    ['a function', { javascript: '{ f: () => 1 }', python: '{"f": print}' }, '$.f'],
    ['a date', { javascript: '[new Date(0)]', python: '[__import__("datetime").datetime.now()]' }, '$[0]'],
    ['NaN', { javascript: '{ x: NaN }', python: '{"x": float("nan")}' }, '$.x'],
    ['infinity', { javascript: '{ x: -Infinity }', python: '{"x": float("-inf")}' }, '$.x'],
    ['negative zero', { javascript: '-0', python: '-0.0' }, '$'],
    ['a decorated array', { javascript: 'Object.assign([1], { more: 1 })' }, '$'],
    ['a getter that throws', { javascript: '{ get x() { throw 1 } }' }, '$'],
    ['a key that is no string', { python: '{1: 2}' }, '$'],
    ['a subclass of float', { python: 'type("F", (float,), {})(1)' }, '$'],
  ],
  (args, path) => ({
    section: '4.1',
    programs: lossyCall(args),
    run: gives({
      value: [(text: string) => text.includes('lossless JSON') && text.includes(path), 1],
      calls: [{ id: 0, name: 'one' }],
    }),
  }),
  (title) => `an argument of ${title} is refused in the guest and takes no id`,
)

const ERROR_CLASS = { name: 'ToolCallError', memberNameProperty: 'toolName' }
const withErrorClass = (functions: BindingNamespace['functions']) => ({
  bindings: [{ global: 'tools', functions, errorClass: ERROR_CLASS }],
})

const TYPED_REJECTIONS = rows<[thrown: unknown, text: unknown]>(
  [
    ['an Error', new Error('boom'), 'boom'],
    ['a string', 'just text', 'just text'],
    ['an empty message', new Error(''), ''],
    ['an empty string', '', ''],
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
    ['an unconvertible object', unconvertible(), PLACEHOLDER],
    ['a message that cannot be converted', withMessage(unconvertible()), PLACEHOLDER],
    ['a message whose getter throws', withThrowingGetter('message', new Error('never')), PLACEHOLDER],
    ['an object without a prototype', Object.create(null), PLACEHOLDER],
    ['a lone surrogate', new Error('\ud800'), '\ud800'],
  ],
  (thrown, text) => ({
    section: '4.3',
    programs: {
      javascript: `try { await tools.fail() } catch (e) { return [e instanceof ToolCallError, e instanceof Error, e.name, e.toolName, e.message, e.constructor.name] }`,
      python: `try:\n  await tools.fail()\nexcept ToolCallError as e:\n  return [True, isinstance(e, Exception), type(e).__name__, e.toolName, str(e), type(e).__name__]`,
    },
    run: gives(
      {
        error: ABSENT,
        value: [true, true, 'ToolCallError', 'fail', text, 'ToolCallError'],
        calls: [{ state: 'failed', error: text }],
      },
      withErrorClass({ fail: thrower(thrown) }),
    ),
  }),
  (title) => `a rejection of ${title} is an instance of the declared class`,
)

const REJECTIONS: readonly ConformanceCase[] = [
  {
    section: '4.3',
    title: 'a rejection without a declared class is a plain error without the member',
    programs: {
      javascript: `try { await tools.fail() } catch (e) { return [e.name, e.message, Object.keys(e), e.constructor === Error] }`,
      python: `try:\n  await tools.fail()\nexcept Exception as e:\n  return ['Error' if type(e) is RuntimeError else type(e).__name__, str(e), list(vars(e)), type(e) is RuntimeError]`,
    },
    run: returns(['Error', 'the host refused', [], true]),
  },
  {
    section: '4.3',
    title: 'a rejection is caught in place among several',
    programs: {
      javascript: `const all = await Promise.allSettled([tools.fail(), tools.one(), tools.fail()]); return all.map(({ status, reason }) => [status, reason?.message ?? null])`,
      python: `import asyncio\nall = await asyncio.gather(tools.fail(), tools.one(), tools.fail(), return_exceptions=True)\nreturn [['rejected', str(r)] if isinstance(r, Exception) else ['fulfilled', None] for r in all]`,
    },
    reports: ['PrefectHQ/fastmcp#4702', 'pydantic/monty#839'],
    run: returns([
      ['rejected', 'the host refused'],
      ['fulfilled', null],
      ['rejected', 'the host refused'],
    ]),
  },
  {
    section: '4.3',
    title: 'a rejection has a text of any size',
    programs: {
      javascript: `try { await tools.fail() } catch (e) { return e.message.length }`,
      python: `try:\n  await tools.fail()\nexcept RuntimeError as e:\n  return len(str(e))`,
    },
    run: gives(
      { value: 2_000_000, calls: [{ replyBytes: 4_000_002 }] },
      { tools: { fail: thrower(new Error('é'.repeat(2_000_000))) } },
    ),
  },
]

const cycle = (): unknown[] => {
  const list: unknown[] = []
  list.push(list)
  return list
}

const LOSSY_RESOLUTIONS = rows<[answer: () => unknown]>(
  [
    ['a function', () => () => 1],
    ['undefined', () => undefined],
    ['NaN', () => [Number.NaN]],
    ['a Map', () => new Map()],
    ['a getter that throws', () => withThrowingGetter('x', new Error('host secret'))],
    ['a bigint', () => 1n],
    ['a cycle', cycle],
  ],
  (answer) => ({
    section: '4.4',
    programs: {
      javascript: `try { await tools.bad() } catch (e) { return e.message }`,
      python: `try:\n  await tools.bad()\nexcept RuntimeError as e:\n  return str(e)`,
    },
    run: gives(
      { value: (text: string) => text.includes('lossless JSON') && !text.includes('host secret') },
      { tools: { bad: answer } },
    ),
  }),
  (title) => `a resolution of ${title} rejects the call and says so`,
)

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

export const BINDING_CASES: readonly ConformanceCase[] = [
  ...ARGUMENTS,
  ...WRONG_FORMS,
  ...LOSSY_ARGUMENTS,
  ...TYPED_REJECTIONS,
  ...REJECTIONS,
  ...LOSSY_RESOLUTIONS,
  ...NAMES,
  ...CALLS,
]
