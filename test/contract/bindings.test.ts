import { describe, expect, it } from 'vitest'
import type { BindingNamespace } from '../../src/index.js'
import { withThrowingGetter } from '../support/getters.js'
import { HOST_TRACES, TOOLS } from '../support/runtimes.js'
import { onEveryBackend } from './backends.js'

const PLACEHOLDER = /cannot be converted to text/
const unconvertible = (): object => ({
  [Symbol.toPrimitive]: () => {
    throw new Error('no text')
  },
})
const withMessage = (message: unknown): Error => Object.assign(new Error('x'), { message })

const thrower = (thrown: unknown) => () => {
  throw thrown
}

onEveryBackend((backend) => {
  const run = backend.use({ maxWallMs: 10_000 })

  describe('arguments', () => {
    backend.each<[unknown]>(
      [
        [
          'one object',
          {
            typescript: 'return await tools.echo({ a: [1, null, "x"] })',
            python: 'return await tools.echo({"a": [1, None, "x"]})',
          },
          { a: [1, null, 'x'] },
        ],
        [
          'none is an empty object',
          { typescript: 'return await tools.echo()', python: 'return await tools.echo()' },
          {},
        ],
        ['an explicit undefined counts as none', { typescript: 'return await tools.echo(undefined)' }, {}],
        [
          'null is null',
          { typescript: 'return await tools.echo(null)', python: 'return await tools.echo(None)' },
          null,
        ],
        ['a plain value', { typescript: 'return await tools.echo(5)', python: 'return await tools.echo(5)' }, 5],
        ['keywords are members', { python: 'return await tools.echo(city="Oslo", n=1)' }, { city: 'Oslo', n: 1 }],
      ],
      async (program, value) => {
        const result = await run(program, { tools: TOOLS })
        expect(result).toMatchObject({ value, calls: [{ id: 0 }] })
      },
    )

    backend.each(
      [
        ['two', { typescript: 'tools.echo(1, 2)', python: 'tools.echo(1, 2)' }],
        ['two, the second undefined', { typescript: 'tools.echo({}, undefined)' }],
        ['both kinds', { python: 'tools.echo({}, a=1)' }],
      ],
      async (call) => {
        const program =
          backend.language === 'typescript'
            ? `try { await ${call} } catch (error) { return [error instanceof TypeError, error.message] }`
            : `try:\n  await ${call}\nexcept TypeError as error:\n  return [True, str(error)]`
        const { value, calls } = await run(program, { tools: TOOLS })
        expect(value).toEqual([true, expect.stringContaining('tools.echo(')])
        expect(calls).toEqual([])
      },
    )

    backend.each(
      [
        ['a function', { typescript: '{ f: () => 1 }', python: '{"f": print}' }, '$.f'],
        ['a Date', { typescript: '[new Date(0)]', python: '[__import__("datetime").datetime.now()]' }, '$[0]'],
        ['NaN', { typescript: '{ x: NaN }', python: '{"x": float("nan")}' }, '$.x'],
        ['infinity', { typescript: '{ x: -Infinity }', python: '{"x": float("-inf")}' }, '$.x'],
        ['negative zero', { typescript: '-0', python: '-0.0' }, '$'],
        ['a decorated array', { typescript: 'Object.assign([1], { more: 1 })' }, '$'],
        ['a getter that throws', { typescript: '{ get x() { throw 1 } }' }, '$'],
        ['a key that is no string', { python: '{1: 2}' }, '$'],
        ['a subclass of float', { python: 'type("F", (float,), {})(1)' }, '$'],
      ],
      async (argument, path) => {
        const program =
          backend.language === 'typescript'
            ? `let text; try { await tools.echo(${argument}) } catch (error) { text = error.message } return [text, await tools.one()]`
            : `text = None\ntry:\n  await tools.echo(${argument})\nexcept RuntimeError as error:\n  text = str(error)\nreturn [text, await tools.one()]`
        const { value, calls } = await run(program, { tools: TOOLS })
        const [text] = value as string[]
        expect(value).toEqual([expect.stringContaining('lossless JSON'), 1])
        expect(text).toContain(path)
        expect(calls.map(({ id, name }) => [id, name])).toEqual([[0, 'one']])
      },
    )
  })

  describe('a rejected call', () => {
    const bindings = (functions: BindingNamespace['functions']) => [
      { global: 'tools', functions, errorClass: { name: 'ToolCallError', memberNameProperty: 'toolName' } },
    ]
    const declared = {
      typescript: `try { await tools.fail() } catch (e) { return [e instanceof ToolCallError, e instanceof Error, e.name, e.toolName, e.message, e.constructor.name] }`,
      python: `try:\n  await tools.fail()\nexcept ToolCallError as e:\n  return [True, isinstance(e, Exception), type(e).__name__, e.toolName, str(e), type(e).__name__]`,
    }
    for (const [title, thrown, text] of [
      ['an Error', new Error('boom'), 'boom'],
      ['a string', 'just text', 'just text'],
      ['an empty message', new Error(''), ''],
      ['an empty string', '', ''],
      ['undefined', undefined, 'undefined'],
      ['null', null, 'null'],
      ['an unconvertible object', unconvertible(), expect.stringMatching(PLACEHOLDER)],
      ['a message that cannot be converted', withMessage(unconvertible()), expect.stringMatching(PLACEHOLDER)],
      ['a getter that throws', withThrowingGetter('message', new Error('never')), expect.stringMatching(PLACEHOLDER)],
      ['an object without a prototype', Object.create(null), expect.stringMatching(PLACEHOLDER)],
      ['a lone surrogate', new Error('\ud800'), '\ud800'],
    ] as const) {
      backend.it(`of ${title} is an instance of the declared class`, declared, async (program) => {
        const { value, error, calls } = await run(program, { bindings: bindings({ fail: thrower(thrown) }) })
        expect(error).toBeUndefined()
        expect(value).toEqual([true, true, 'ToolCallError', 'fail', text, 'ToolCallError'])
        expect(calls).toMatchObject([{ state: 'failed', error: text }])
      })
    }

    backend.it(
      'without a declared class is a plain error without the member',
      {
        typescript: `try { await tools.fail() } catch (e) { return [e.name, e.message, Object.keys(e), e.constructor === Error] }`,
        python: `try:\n  await tools.fail()\nexcept Exception as e:\n  return [type(e).__name__, str(e), list(vars(e)), type(e) is RuntimeError]`,
      },
      async (program) => {
        const name = backend.language === 'typescript' ? 'Error' : 'RuntimeError'
        expect((await run(program, { tools: TOOLS })).value).toEqual([name, 'the host refused', [], true])
      },
    )

    backend.it(
      'is caught in place among several',
      {
        typescript: `const all = await Promise.allSettled([tools.fail(), tools.one(), tools.fail()]); return all.map(({ status, reason }) => [status, reason?.message ?? null])`,
        python: `import asyncio\nall = await asyncio.gather(tools.fail(), tools.one(), tools.fail(), return_exceptions=True)\nreturn [['rejected', str(r)] if isinstance(r, Exception) else ['fulfilled', None] for r in all]`,
      },
      async (program) => {
        const refused = ['rejected', 'the host refused']
        expect((await run(program, { tools: TOOLS })).value).toEqual([refused, ['fulfilled', null], refused])
      },
    )

    for (const [title, answer] of [
      ['a function', () => () => 1],
      ['undefined', () => undefined],
      ['NaN', () => [Number.NaN]],
      ['a Map', () => new Map()],
      ['a getter that throws', () => withThrowingGetter('x', new Error('host secret'))],
      ['a bigint', () => 1n],
      [
        'a cycle',
        () => {
          const a: unknown[] = []
          a.push(a)
          return a
        },
      ],
    ] as const) {
      backend.it(
        `says so when the resolution is ${title}`,
        {
          typescript: `try { await tools.bad() } catch (e) { return e.message }`,
          python: `try:\n  await tools.bad()\nexcept RuntimeError as e:\n  return str(e)`,
        },
        async (program) => {
          const { value } = await run(program, { tools: { bad: answer } })
          expect(value).toContain('lossless JSON')
          expect(value).not.toContain('host secret')
        },
      )
    }

    backend.it(
      'has a text of any size',
      {
        typescript: `try { await tools.fail() } catch (e) { return e.message.length }`,
        python: `try:\n  await tools.fail()\nexcept RuntimeError as e:\n  return len(str(e))`,
      },
      async (program) => {
        const { value, calls } = await run(program, { tools: { fail: thrower(new Error('é'.repeat(2_000_000))) } })
        expect([value, calls[0]?.replyBytes]).toEqual([2_000_000, 4_000_002])
      },
    )
  })

  describe('names are data', () => {
    const functions = Object.fromEntries(
      [
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
      ].map((name) => [name, () => `it was ${name}`]),
    )
    backend.it(
      'declared ones are members by subscript',
      {
        typescript: `const all = []; for (const name of ${JSON.stringify(Object.keys(functions))}) all.push(await (0, tools[name])()); return all`,
        python: `return [await tools[name]() for name in ${JSON.stringify(Object.keys(functions))}]`,
      },
      async (program) => {
        const { value, error } = await run(program, { tools: functions })
        expect(error).toBeUndefined()
        expect(value).toEqual(Object.keys(functions).map((name) => `it was ${name}`))
      },
    )

    backend.it(
      'undeclared ones are not there',
      {
        typescript: `const awaited = await tools; return [awaited === tools, typeof tools.nope, tools.nope?.() ?? null, ['hasOwnProperty', 'constructor', '__proto__', 'toString', 'then'].map((name) => typeof tools[name]), 'nope' in tools]`,
        python: `return [True, 'undefined' if not hasattr(tools, 'nope') else '', None, ['undefined'] * 5, 'nope' in dir(tools)]`,
      },
      async (program) => {
        const { value, calls } = await run(program, { tools: TOOLS })
        expect(value).toEqual([true, 'undefined', null, Array(5).fill('undefined'), false])
        expect(calls).toEqual([])
      },
    )

    backend.it(
      'calling an undeclared one lists what is declared, nearest first',
      { typescript: 'await tools.weahter({})', python: 'await tools.weahter({})' },
      async (program) => {
        const tools = { forecast: () => 1, weather: () => 1, wether: () => 1 }
        const { error } = await run(program, { tools })
        expect(error?.kind).toBe('exception')
        expect(error?.message).toMatch(/weahter[\s\S]*wea?ther, wea?ther, forecast/)
        expect(error?.message).not.toMatch(HOST_TRACES)
      },
    )
  })

  describe('calls', () => {
    backend.it(
      'run at once, and replies may overtake each other',
      {
        typescript: `const order = []; await Promise.all([tools.second().then(() => order.push('second')), tools.first().then(() => order.push('first'))]); return order`,
        python: `import asyncio\norder = []\nasync def one(call, name):\n  await call\n  order.append(name)\nawait asyncio.gather(one(tools.second(), 'second'), one(tools.first(), 'first'))\nreturn order`,
      },
      async (program) => {
        const first = deferred()
        const tools = { second: () => first.promise, first: () => Boolean(setImmediate(first.resolve, null)) }
        expect((await run(program, { tools })).value).toEqual(['first', 'second'])
      },
    )

    for (const [title, count] of [
      ['1,025 that answer at once', 1_025],
      ['5,000 at once', 5_000],
    ] as const) {
      backend.it(
        `${title} are fine`,
        {
          typescript: `const all = await Promise.all(Array.from({ length: ${count} }, (_, i) => tools.echo(i))); return [all.length, all.every((n, i) => n === i)]`,
          python: `import asyncio\nall = await asyncio.gather(*[tools.echo(i) for i in range(${count})])\nreturn [len(all), all == list(range(${count}))]`,
        },
        async (program) => {
          const { value, error, calls } = await run(program, { tools: TOOLS })
          expect(error).toBeUndefined()
          expect(value).toEqual([count, true])
          expect(calls.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, i) => i))
        },
      )
    }

    backend.it(
      '1,024 that never answer are fine',
      {
        typescript: `for (let i = 0; i < 1024; i++) tools.hang(); await tools.tick(); return 1`,
        python: `import asyncio\nkeep = [asyncio.ensure_future(tools.hang()) for _ in range(1023)]\nawait asyncio.sleep(0.2)\nreturn 1`,
      },
      async (program) => {
        const result = await run(program.replace('await tools.tick(); ', ''), { tools: TOOLS })
        expect(result).toMatchObject({ value: 1 })
        expect(result.calls).toHaveLength(backend.language === 'typescript' ? 1_024 : 1_023)
      },
    )

    backend.it(
      'of which 1,025 never answer end the run',
      {
        typescript: `for (let i = 0; i < 1025; i++) tools.hang(); await new Promise(() => {})`,
        python: `import asyncio\nawait asyncio.gather(*[tools.hang() for _ in range(1025)])`,
      },
      async (program) => {
        const { error } = await run(program, { tools: TOOLS })
        expect(error?.kind).toBe('worker-exit')
        expect(error?.message).toContain('1024')
      },
    )

    backend.it(
      'of which 1,025 never answer end the run although it completes in the same write',
      { typescript: `for (let i = 0; i < 1025; i++) tools.hang(); return 1` },
      async (program) => {
        expect((await run(program, { tools: TOOLS })).error?.kind).toBe('worker-exit')
      },
    )

    backend.it(
      'end with the run: the signal fires and late answers are dropped unread',
      {
        typescript: `tools.slow(); await tools.one(); return 1`,
        python: `import asyncio\nt = asyncio.ensure_future(tools.slow())\nawait asyncio.sleep(0)\nawait tools.one()\nreturn 1`,
      },
      async (program) => {
        const late = deferred()
        let fired: unknown
        const slow = (_args: unknown, { signal }: { signal: AbortSignal }) => {
          signal.addEventListener('abort', () => {
            fired = signal.aborted
          })
          return late.promise
        }
        const result = await run(program, { tools: { slow, one: () => 1 } })
        let reads = 0
        late.resolve({
          get x() {
            reads += 1
            return 1
          },
        })
        await new Promise((resolve) => setImmediate(resolve))
        expect(result).toMatchObject({ value: 1, calls: [{ name: 'slow', state: 'running', durationMs: null }, {}] })
        expect([fired, reads]).toEqual([true, 0])
      },
    )

    backend.it(
      'that are rejected late are swallowed without running their getters',
      { typescript: `tools.slow(); return 1` },
      async (program) => {
        const late = deferred()
        await run(program, { tools: { slow: () => late.promise } })
        let reads = 0
        late.reject({
          get message() {
            reads += 1
            return 'x'
          },
        })
        await new Promise((resolve) => setImmediate(resolve))
        expect(reads).toBe(0)
      },
    )

    it('a binding gets a fresh context with a signal, and its object as `this`', async () => {
      const functions = {
        me() {
          return this === functions
        },
      }
      const program = 'return await tools.me()'
      expect((await run(program, { tools: functions })).value).toBe(true)
    })
  })
})

const deferred = () => {
  let resolve!: (value: unknown) => void
  let reject!: (error: unknown) => void
  const promise = new Promise<unknown>((resolveWith, rejectWith) => {
    resolve = resolveWith
    reject = rejectWith
  })
  return { promise, resolve, reject }
}
