import { notStrictEqual, ok, strictEqual } from 'node:assert'
import type { Requirement } from '../capabilities.js'
import type { ConformanceCase, Programs } from '../case.js'
import { ABSENT, hasShape } from '../check.js'
import { gives, returns, rows } from '../expectations.js'

const WIDE = { maxValueBytes: 3 * 1_048_576, maxWallMs: 20_000 }

const CROSSING = rows<[text: string]>(
  [
    ['null', 'null'],
    ['booleans', '[true,false]'],
    ['2**53 and 2**60', '[9007199254740992,1152921504606846976]'],
    ['the smallest and the largest numbers', '[5e-324,-1.7976931348623157e+308,1e-7,0.1]'],
    ['an empty text, array and object', '["",[],{}]'],
    ['odd characters', JSON.stringify('\u0000\u001f\u007f\u2028\u2029"\\/\ud83d\ude00é中')],
    ['lone surrogates', JSON.stringify(['\ud800', '\udc00x', '\ud83d'])],
    ['odd keys', '{"":1,"__proto__":{"a":1},"constructor":2,"then":3,"toJSON":4,"0":5,"\\ud800":6}'],
    ['nested objects', '{"a":[{"b":[[],{}]}]}'],
  ],
  (text) => ({
    section: '5.1',
    programs: {
      javascript: `const value = JSON.parse(${JSON.stringify(text)}); return [value, await tools.echo(value)]`,
      python: `import json\nvalue = json.loads(${JSON.stringify(text)})\nreturn [value, await tools.echo(value)]`,
    },
    limits: WIDE,
    run: async ({ run }) => {
      const seen: unknown[] = []
      const { value, error } = await run({ tools: { echo: (args: unknown) => seen.push(args) && args } })
      strictEqual(error, undefined)
      const expected: unknown = JSON.parse(text)
      strictEqual(JSON.stringify([value, seen]), JSON.stringify([[expected, expected], [expected]]))
    },
  }),
  (title) => `equal as argument, reply and completion: ${title}`,
)

const depthOf = (value: unknown): number => {
  let depth = 0
  for (let at = value; typeof at === 'object' && at !== null; at = Object.values(at)[0]) depth += 1
  return depth
}

const DEEP = rows<[levels: number, programs: Programs, ...requires: Requirement[]]>(
  [
    [
      '200 levels cross as argument, reply and completion',
      200,
      {
        javascript: `let deep = []; for (let i = 1; i < 200; i++) deep = [deep]; return await tools.echo(deep)`,
        python: `deep = []\nfor _ in range(199): deep = [deep]\nreturn await tools.echo(deep)`,
      },
    ],
    [
      '3,000 levels cross as argument, reply and completion',
      3_000,
      {
        javascript: `let deep = []; for (let i = 1; i < 3000; i++) deep = [deep]; return await tools.echo(deep)`,
        python: `deep = []\nfor _ in range(2999): deep = [deep]\nreturn await tools.echo(deep)`,
      },
      'deep-values',
    ],
    [
      '100,000 levels cross as argument, reply and completion',
      100_001,
      {
        javascript: `let deep = []; for (let i = 1; i < 100000; i++) deep = { a: deep }; return await tools.echo([deep])`,
        python: `deep = []\nfor _ in range(99999): deep = {"a": deep}\nreturn await tools.echo([deep])`,
      },
      'deep-values',
    ],
  ],
  (levels, programs, ...requires) => ({
    section: '5.3',
    programs,
    requires,
    limits: WIDE,
    reports: ['dreadnode/dyana#27', 'stanfordnlp/dspy#9233'],
    run: gives({ error: ABSENT, value: (value: unknown) => depthOf(value) === levels }),
  }),
)

const LARGE: readonly ConformanceCase[] = [
  ...rows<[count: number, ...requires: Requirement[]]>(
    [
      ['50,000', 50_000],
      ['1,000,000', 1_000_000, 'large-values'],
    ],
    (count, ...requires) => ({
      section: '5.3',
      programs: { javascript: `return Array(${count}).fill(7)`, python: `return [7] * ${count}` },
      requires,
      limits: WIDE,
      reports: ['dreadnode/dyana#27', 'stanfordnlp/dspy#9233'],
      run: gives({ value: (items: number[]) => items.length === count && items.every((item) => item === 7) }),
    }),
    (title) => `a completion of ${title} items crosses`,
  ),
  {
    section: '4.2',
    title: 'a list of 6,000,000 items crosses as argument',
    programs: {
      javascript: `return await tools.count(new Array(6e6).fill(0))`,
      python: 'return await tools.count([0] * 6000000)',
    },
    requires: ['large-values'],
    limits: WIDE,
    run: returns(6_000_000, { tools: { count: (list: unknown[]) => list.length } }),
  },
  {
    section: '5.2',
    title: 'a shared subtree is copied twice',
    programs: { javascript: `const a = { x: 1 }; return [a, a]`, python: 'a = {"x": 1}\nreturn [a, a]' },
    run: async ({ run }) => {
      const { value } = await run()
      hasShape(value, [{ x: 1 }, { x: 1 }])
      const [first, second] = value as object[]
      notStrictEqual(first, second)
    },
  },
]

const REFUSED = rows<[javascript: string | undefined, path: string, python?: string]>(
  [
    ['NaN', '[1, { x: NaN }]', '$[1].x', '[1, {"x": float("nan")}]'],
    ['infinity', '{ a: Infinity }', '$.a', '{"a": float("inf")}'],
    ['a number that overflows', '[1e400]', '$[0]', '[1e400]'],
    ['negative zero', '[-0]', '$[0]', '[-0.0]'],
    ['a bigint', '{ n: 1n }', '$.n'],
    ['an integer of too many digits', undefined, '$', '2**53 + 1'],
    ['undefined as a member', '{ rows: [{ when: undefined }] }', '$.rows[0].when'],
    ['undefined as an item', '[undefined]', '$[0]'],
    ['a function', '{ f() {} }', '$.f', '{"f": print}'],
    ['a symbol', '[Symbol("x")]', '$[0]'],
    [
      'a date',
      '{ rows: [0, 1, 2, { when: new Date() }] }',
      '$.rows[3].when',
      '{"rows": [0, 1, 2, {"when": __import__("datetime").datetime.now()}]}',
    ],
    ['a Map', '{ m: new Map() }', '$.m'],
    ['a set', '[new Set()]', '$[0]', '[{1, 2, 3}]'],
    ['bytes', '{ b: new Uint8Array(1) }', '$.b', '{"b": b"ab"}'],
    ['a class instance', '[new (class Point {})()]', '$[0]', '[type("Point", (), {})()]'],
    ['a decimal', undefined, '$[0]', '[__import__("decimal").Decimal("1.5")]'],
    ['a dataclass', undefined, '$[0]', '[__import__("dataclasses").make_dataclass("P", ["x"])(1)]'],
    ['a promise', '{ p: tools.one() }', '$.p'],
    ['an error', '{ e: new Error("x") }', '$.e', '{"e": ValueError("x")}'],
    ['a boxed string', '[new String("x")]', '$[0]'],
    ['a sparse array', '{ s: [1, , 3] }', '$.s[1]'],
    ['an array without its last items', '(() => { const a = [1]; a.length = 3; return { a } })()', '$.a[1]'],
    ['a decorated array', '{ a: Object.assign([1], { x: 1 }) }', '$.a'],
    ['a subclass of an array', '[new (class List extends Array {})()]', '$[0]', '[type("L", (list,), {})()]'],
    ['a symbol key', '{ a: { [Symbol("k")]: 1 } }', '$.a'],
    ['a hidden key', '{ a: Object.defineProperty({}, "h", { value: 1 }) }', '$.a.h'],
    ['its own toJSON', '{ a: { toJSON: () => 1 } }', '$.a.toJSON'],
    ['a getter that throws', '{ a: { get x() { throw new Error("never shown") } } }', '$.a.x'],
    ['a tuple', undefined, '$.t', '{"t": (1, 2)}'],
    [
      'a cycle',
      '(() => { const a = { list: [] }; a.list.push(a); return a })()',
      '$.list[0]',
      '(lambda a: a["list"].append(a) or a)({"list": []})',
    ],
    [
      'an accessor that shortens its array',
      '(() => { const a = [1, 2, 3]; Object.defineProperty(a, 0, { get() { a.length = 1; return 1 }, enumerable: true }); return { a } })()',
      '$.a[1]',
    ],
    ['a key that is no string', undefined, '$', '{1: 1, "1": 2}'],
    ['a key that is a tuple', undefined, '$', '{(1, 2): 1}'],
  ],
  (javascript, path, python) => ({
    section: '5.2',
    programs: {
      ...(javascript !== undefined && { javascript: `return ${javascript}` }),
      ...(python !== undefined && { python: `return ${python}` }),
    },
    reports: ['stanfordnlp/dspy#10140'],
    run: async ({ run }) => {
      const { error, ...rest } = await run()
      hasShape(rest, { value: ABSENT })
      hasShape(error, { kind: 'invalid-output', message: /must be lossless JSON/ })
      ok(error?.message.includes(path), `${error?.message} names ${path}`)
      ok(!error?.message.includes('never shown'), 'the text of a getter is not shown')
    },
  }),
  (title) => `refused with its place: ${title}`,
)

const HINTS = rows<[programs: Programs, hint: string]>(
  [
    ['a date', { javascript: 'return new Date(0)' }, '.toISOString()'],
    ['bytes', { javascript: 'return new Uint8Array(1)' }, 'base64'],
    ['a set', { javascript: 'return new Set()' }, '[...set]'],
    ['a promise of a call', { javascript: 'return [tools.one()]' }, 'await'],
  ],
  (programs, hint) => ({
    section: '5.1',
    programs,
    run: gives({ error: { message: (message: string) => message.includes(hint) } }),
  }),
  (title) => `a refusal says what to write instead of ${title}`,
)

const READ_ONCE: readonly ConformanceCase[] = [
  {
    section: '5.3',
    title: 'each slot of a completion and of an argument is read once',
    programs: {
      javascript: `let reads = 0; const value = { get x() { return ++reads }, list: Object.defineProperty([0], 0, { get: () => ++reads, enumerable: true }) }; return [await tools.echo(value), reads, value]`,
    },
    run: returns([{ x: 1, list: [2] }, 2, { x: 3, list: [4] }]),
  },
  {
    section: '5.2',
    title: 'a proxy of plain data is read by its traps',
    programs: { javascript: `return new Proxy({ a: [1] }, {})` },
    run: returns({ a: [1] }),
  },
  {
    section: '5.2',
    title: 'a toJSON on a shared prototype is ignored',
    programs: {
      javascript: `Object.prototype.toJSON = () => 'changed'; Array.prototype.toJSON = () => 'changed'; return { a: [1, await tools.echo({ b: 2 })] }`,
    },
    run: returns({ a: [1, { b: 2 }] }),
  },
  {
    section: '5.5',
    title: 'a resolution is encoded when it was validated: a later change does not count',
    programs: { javascript: 'return await tools.get()', python: 'return await tools.get()' },
    run: async ({ run }) => {
      const list = [1]
      const get = () => {
        setImmediate(() => list.push(2))
        return list
      }
      hasShape(await run({ tools: { get } }), { value: [1] })
    },
  },
  {
    section: '5.5',
    title: 'an argument is encoded at the call: a later change does not count',
    programs: {
      javascript: `const list = [1]; const call = tools.echo(list); list.push(2); return await call`,
      python: `import asyncio\nlist_ = [1]\ncall = asyncio.ensure_future(tools.echo(list_))\nawait asyncio.sleep(0)\nlist_.append(2)\nreturn await call`,
    },
    run: returns([1]),
  },
  {
    section: '5.2',
    title: 'an object without a prototype is plain',
    programs: { javascript: `return Object.assign(Object.create(null), { a: 1 })` },
    run: returns({ a: 1 }),
  },
]

const SPELLED = '[1,1e-7,1152921504606846976,"é😀\\ud800"]'

const SIZES: ConformanceCase = {
  section: '5.4',
  title: 'sizes are equal on both sides, however a language spells numbers and texts',
  programs: {
    javascript: `return await tools.echo([1, 1e-7, 2 ** 60, 'é😀\\ud800'])`,
    python: `return await tools.echo([1.0, 1e-07, 2.0 ** 60, 'é😀\\ud800'])`,
  },
  limits: { maxValueBytes: Buffer.byteLength(SPELLED) },
  run: async ({ run }) => {
    const bytes = Buffer.byteLength(SPELLED)
    hasShape(await run(), { error: ABSENT, calls: [{ argsBytes: bytes, replyBytes: bytes }] })
    hasShape((await run({}, { maxValueBytes: bytes - 1 })).error?.kind, 'output-limit')
  },
}

export const LOSSLESS_CASES: readonly ConformanceCase[] = [
  ...CROSSING,
  ...HINTS,
  ...REFUSED,
  ...DEEP,
  ...LARGE,
  ...READ_ONCE,
  SIZES,
]
