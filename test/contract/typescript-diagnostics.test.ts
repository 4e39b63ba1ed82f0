import { describe, expect, it } from 'vitest'
import { HOST_TRACES, TOOLS, useRuntime } from '../support/runtimes.js'

describe('what a model reads about its error', () => {
  const { run } = useRuntime({ limits: { maxWallMs: 20_000 } })
  const messageOf = async (program: string): Promise<string> => {
    const { error } = await run(program, { tools: TOOLS })
    expect(error?.kind).toBe('exception')
    expect(error?.message).not.toMatch(HOST_TRACES)
    return error?.message ?? ''
  }

  it.each([
    [
      'on line 7, column 5, after types',
      `interface A {\n  x: number\n}\ntype B = string\nconst a: A = { x: 1 }\n\n    null.x`,
      '7:10',
    ],
    [
      'after an enum',
      `enum Level {\n  Low,\n  High,\n}\nconst x: Level = Level.Low\nfunction f(): never {\n  throw new Error('here')\n}\nf()`,
      '7:9',
    ],
    [
      'after a namespace and parameter properties',
      `namespace N { export const a = 1 }\nclass P {\n  constructor(private readonly x: number) {}\n  f() {\n    return (undefined as any).y\n  }\n}\nnew P(1).f()`,
      '5:31',
    ],
    ['in a template literal', `const a = 1\nconst s = \`\n  \${a}\n  \${(null as any).x}\n\``, '4:19'],
    ['in a call of a binding', `const a = 1\n\n  await tools.fail({ a })`, '3:15'],
    ['in a callback', `[1].map((x) => {\n  throw new Error('cb' + x)\n})`, '2:9'],
    ['after an await', `await tools.one()\nawait null\nthrow new Error('late')`, '3:7'],
    [
      'in a getter of the completion',
      `const value = {\n  get x(): number { throw new Error('g') },\n}\nvoid value.x`,
      '2:27',
    ],
    ['in a timer', `setTimeout(() => {\n  throw new Error('timer')\n}, 1)\nawait new Promise(() => {})`, '2:9'],
    ['of a floating rejection', `Promise.reject(\n  new Error('floating'))\nawait new Promise(() => {})`, '2:3'],
    [
      'of a function type that is erased',
      `const f = (a: number, b?: (x: string) => void): number => { throw new Error(String(a)) }\nf(1)`,
      '1:67',
    ],
    ['with tabs and wide characters before it', `const s = '中文😀'; throw new Error(s)`, '1:25'],
    ['behind windows line ends', `const a = 1\r\nconst b = 2\r\nthrow new Error('x')`, '3:7'],
  ])('shows the position %s', async (_title, program, position) => {
    const message = await messageOf(program)
    expect(message).toContain(`<model>:${position}`)
    const [line] = position.split(':')
    expect(message).toContain(`${line} | `)
  })

  it.each([
    ['a text', `throw 'only text'`, 'only text'],
    ['a number', `throw 42`, '42'],
    ['undefined', `throw undefined`, 'undefined'],
    ['null', `throw null`, 'null'],
    ['a symbol', `throw Symbol('s')`, 'Symbol(s)'],
    ['a bigint', `throw 5n`, '5'],
    ['a plain object', `throw { code: 5, nested: { a: [1] } }`, 'code: 5'],
    ['an array', `throw [1, 2]`, '1,2'],
    ['an object without a prototype', `throw Object.create(null)`, 'unrenderable value'],
    ['a toString that throws', `throw { toString() { throw new Error('never shown') } }`, 'unrenderable value'],
    ['a toPrimitive that throws', `throw { [Symbol.toPrimitive]() { throw 1 } }`, 'unrenderable value'],
    ['a toPrimitive of an odd kind', `throw { [Symbol.toPrimitive]: 5 }`, 'unrenderable value'],
    [
      'a revoked proxy',
      `const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy`,
      'unrenderable value',
    ],
    [
      'a revoked proxy of a function',
      `const { proxy, revoke } = Proxy.revocable(() => {}, {}); revoke(); throw proxy`,
      '',
    ],
    ['a stack of undefined', `throw Object.assign(new Error('the message'), { stack: undefined })`, 'the message'],
    ['a stack of a number', `throw Object.assign(new Error('x'), { stack: 42 })`, '42'],
    [
      'a stack that throws',
      `throw Object.defineProperty(new Error('the message'), 'stack', { get() { throw 1 } })`,
      'the message',
    ],
    [
      'a message that throws',
      `throw Object.defineProperty(new RangeError('x'), 'message', { get() { throw 1 } })`,
      'RangeError',
    ],
    [
      'a message of an object',
      `throw Object.assign(new Error(), { message: { toString() { throw 1 } } })`,
      'unrenderable value',
    ],
    [
      'a name that throws',
      `throw Object.defineProperty(new TypeError('the message'), 'name', { get() { throw 1 } })`,
      'the message',
    ],
    [
      'a constructor that throws',
      `throw Object.defineProperty(new Error('the message'), 'constructor', { get() { throw 1 } })`,
      'the message',
    ],
    [
      'a class whose name throws',
      `class E extends Error { static get name() { throw 1 } } throw new E('the message')`,
      'the message',
    ],
    ['a class of an odd name', `class E extends Error { static name = 5 } throw new E('the message')`, 'the message'],
    [
      'a subclass',
      `class ConfigError extends Error {} throw new ConfigError('the message')`,
      'ConfigError: the message',
    ],
    ['a name of its own', `const e = new Error('the message'); e.name = 'Special'; throw e`, 'Special: the message'],
    ['an empty message', `throw new TypeError()`, 'TypeError'],
    ['a message of several lines', `throw new Error('first\\nsecond\\n    at fake (/etc/passwd:1:1)')`, 'second'],
    ['a DOMException', `throw new DOMException('the message', 'AbortError')`, 'AbortError'],
    ['an error of another context', `const vm = await import('node:vm'); vm.runInNewContext('null.x')`, `reading 'x'`],
    ['an error of JSON', `JSON.parse('{')`, 'JSON'],
    ['an error of Node', `const fs = await import('node:fs'); fs.readFileSync('/nope/nope')`, 'ENOENT'],
    ['a stack overflow', `const f = () => f(); f()`, 'Maximum call stack'],
    ['a promise', `throw Promise.resolve(1)`, 'Promise'],
    ['a function', `throw function named() {}`, 'named'],
    ['an error that is frozen', `throw Object.freeze(new Error('the message'))`, 'the message'],
    ['an error whose prototype is gone', `throw Object.setPrototypeOf(new Error('the message'), null)`, 'the message'],
    ['a proxy of an error', `throw new Proxy(new Error('the message'), {})`, 'the message'],
    ['a message with a lone surrogate', `throw new Error('a\\ud800')`, 'a'],
  ])('renders %s', async (_title, program, text) => {
    const message = await messageOf(program)
    expect(message).toContain(text)
    expect(message).not.toContain('never shown')
  })

  it.each([
    ['an import that is not there', `await import('./nope.js')`],
    ['a package that is not there', `await import('no-such-package')`],
    ['a file URL that is not there', `await import('file:///nope.mjs')`],
    ['a builtin that is not there', `await import('node:nope')`],
    ['a bad argument to Node', `const fs = await import('node:fs'); fs.readFileSync({})`],
    [
      'an error through events',
      `const { EventEmitter } = await import('node:events'); new EventEmitter().emit('error', new Error('x'))`,
    ],
    [
      'a print that throws',
      `console.log({ [Symbol.for('nodejs.util.inspect.custom')]() { throw new Error('inspect') } })`,
    ],
    ['a write of an odd kind', `process.stdout.write({})`],
    ['a getter of an argument', `await tools.echo({ get x() { throw new Error('arg') } })`],
    ['a call of two arguments', `await tools.echo(1, 2)`],
    [
      'an async stack',
      `const a = async () => { await null; throw new Error('deep') }; const b = async () => await a(); await Promise.all([b()])`,
    ],
    [
      'a stack in a log',
      `console.log(new Error('x').stack); await tools.fail().catch((e) => console.log(e.stack)); throw 1`,
    ],
  ])('shows no trace of the host for %s', async (_title, program) => {
    const { logs, error } = await run(program, { tools: TOOLS })
    expect(error?.kind).toBe('exception')
    expect(`${error?.message}`.replaceAll('file:///nope.mjs', '')).not.toMatch(HOST_TRACES)
    expect(logs.join('\n').replaceAll(/node:internal\S*/g, '')).not.toMatch(HOST_TRACES)
  })

  describe('chains', () => {
    const count = (message: string, text: RegExp): number => message.match(new RegExp(text, 'g'))?.length ?? 0

    it.each([
      [
        '3,000 causes',
        `let e = new Error('link'); for (let i = 1; i < 3000; i++) e = new Error('link', { cause: e }); throw e`,
      ],
      [
        '150 causes whose setters throw',
        `class E extends Error { set cause(x) { throw new Error('never shown') } } let e = new E('link'); for (let i = 1; i < 150; i++) { const next = new E('link'); Object.defineProperty(next, 'cause', { value: e }); e = next } throw e`,
      ],
      [
        'an AggregateError of 1,000',
        `throw new AggregateError(Array.from({ length: 1000 }, () => new Error('link')), 'all')`,
      ],
      [
        'groups in groups',
        `let e = [new Error('link')]; for (let i = 0; i < 200; i++) e = [new AggregateError(e, 'link'), new Error('link')]; throw e[0]`,
      ],
    ])('of %s are cut at 100 links', async (_title, program) => {
      const message = await messageOf(program)
      expect(message).toContain('chain truncated at 100 links')
      expect(count(message, /(Error|E): (link|all)/)).toBe(100)
      expect(message).not.toContain('never shown')
    })

    it('of exactly 100 are whole', async () => {
      const message = await messageOf(
        `let e = new Error('link'); for (let i = 1; i < 100; i++) e = new Error('link', { cause: e }); throw e`,
      )
      expect(message).not.toContain('truncated')
      expect(count(message, /Error: link/)).toBe(100)
    })

    it.each([
      [
        'a cycle',
        `const a = new Error('a'); const b = new Error('b', { cause: a }); a.cause = b; throw b`,
        ['Error: b', 'Error: a'],
      ],
      ['an error that is its own cause', `const a = new Error('a'); a.cause = a; throw a`, ['Error: a']],
      ['a cause that is no error', `throw new Error('a', { cause: { code: 7 } })`, ['code: 7']],
      ['a cause of text', `throw new Error('a', { cause: 'why' })`, ['why']],
      ['a cause of null', `throw new Error('a', { cause: null })`, ['null']],
      [
        'members and a cause',
        `throw new AggregateError([new Error('one'), 'two'], 'all', { cause: new Error('three') })`,
        ['all', 'one', 'two', 'three'],
      ],
      [
        'Promise.any',
        `await Promise.any([tools.fail(), Promise.reject(new Error('other'))])`,
        ['the host refused', 'other'],
      ],
    ])('of %s', async (_title, program, texts) => {
      const message = await messageOf(program)
      for (const text of texts) expect(message).toContain(text)
    })

    it('run no code of the program that is not needed', async () => {
      const { error, calls } = await run(
        `throw Object.defineProperties(new Error('a'), { cause: { get() { tools.one(); return 1 } }, errors: { get() { tools.one(); return [] } } })`,
        { tools: TOOLS },
      )
      expect([error?.message.includes('Error: a'), calls]).toEqual([true, []])
    })
  })

  describe('takes time linear in the program', () => {
    it.each([
      ['a long line of names', `const line = 1; /* ${'const abc '.repeat(60_000)}*/ null.x`],
      ['a long line of calls that are not closed', `/* ${'tools.x('.repeat(60_000)} */ null.x`],
      [
        'many calls without await',
        `${Array.from({ length: 1_500 }, (_, i) => `const a${i} = tools.one()`).join('\n')}\nreturn new Map()`,
      ],
      [
        'many causes in a large program',
        `enum E { A }\n/* ${'x'.repeat(400_000)} */\nlet e = new Error('link'); for (let i = 1; i < 100; i++) e = new Error('link', { cause: e }); throw e`,
      ],
      ['a message of 20 MB', `throw new Error('x'.repeat(2e7))`],
    ])('%s', async (_title, program) => {
      const { error, usage } = await run(program, { tools: TOOLS })
      expect(error?.kind).toMatch(/exception|invalid-output/)
      expect(usage.wallMs).toBeLessThan(6_000)
    })
  })

  describe('hints', () => {
    it.each([
      [
        'a missing await',
        `const report = tools.echo({ rows: [] })\nreturn report.rows.length`,
        /did you forget `await`/,
      ],
      ['a missing await in one expression', `return tools.echo({ rows: [] }).rows.length`, /did you forget `await`/],
      [
        'an undeclared member after destructuring',
        `const { weather } = tools\nawait weather({})`,
        /It has: [\s\S]*echo/,
      ],
      ['an undeclared member by subscript', `const name = 'ech'\nawait tools[name]({})`, /It has: echo/],
    ])('%s', async (_title, program, hint) => {
      expect(await messageOf(program)).toMatch(hint)
    })
  })
})
