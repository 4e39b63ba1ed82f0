import { describe, expect, it } from 'vitest'
import { TOOLS } from '../support/runtimes.js'
import { onEveryBackend } from './backends.js'

const WIDE = 3 * 1_048_576

onEveryBackend((backend) => {
  const run = backend.use({ maxValueBytes: WIDE, maxWallMs: 20_000 })

  describe('what crosses arrives equal, as completion and there and back', () => {
    for (const [title, text] of [
      ['null', 'null'],
      ['booleans', '[true,false]'],
      ['2**53 and 2**60', '[9007199254740992,1152921504606846976]'],
      ['the smallest and the largest numbers', '[5e-324,-1.7976931348623157e+308,1e-7,0.1]'],
      ['an empty text, array and object', '["",[],{}]'],
      ['odd characters', JSON.stringify('\u0000\u001f\u007f\u2028\u2029"\\/\ud83d\ude00é中')],
      ['lone surrogates', JSON.stringify(['\ud800', '\udc00x', '\ud83d'])],
      ['odd keys', '{"":1,"__proto__":{"a":1},"constructor":2,"then":3,"toJSON":4,"0":5,"\\ud800":6}'],
      ['nested objects', '{"a":[{"b":[[],{}]}]}'],
    ] as const) {
      backend.it(
        title,
        {
          typescript: `const value = JSON.parse(${JSON.stringify(text)}); return [value, await tools.echo(value)]`,
          python: `import json\nvalue = json.loads(${JSON.stringify(text)})\nreturn [value, await tools.echo(value)]`,
        },
        async (program) => {
          const seen: unknown[] = []
          const { value, error } = await run(program, { tools: { echo: (args: unknown) => seen.push(args) && args } })
          expect(error).toBeUndefined()
          const expected: unknown = JSON.parse(text)
          expect(JSON.stringify([value, seen])).toBe(JSON.stringify([[expected, expected], [expected]]))
        },
      )
    }

    backend.it(
      '3,000 levels as argument, reply and completion',
      {
        typescript: `let deep = []; for (let i = 1; i < 3000; i++) deep = [deep]; return await tools.echo(deep)`,
        python: `deep = []\nfor _ in range(2999): deep = [deep]\nreturn await tools.echo(deep)`,
      },
      async (program) => expect(depthOf((await run(program, { tools: TOOLS })).value)).toBe(3_000),
    )

    backend.it(
      '100,000 levels',
      {
        typescript: `let deep = []; for (let i = 1; i < 100000; i++) deep = { a: deep }; return await tools.echo([deep])`,
        python: `deep = []\nfor _ in range(99999): deep = {"a": deep}\nreturn await tools.echo([deep])`,
      },
      async (program) => expect(depthOf((await run(program, { tools: TOOLS })).value)).toBe(100_001),
    )

    backend.it(
      '50,000 and 1,000,000 items',
      {
        typescript: `return [Array(50000).fill(7), Array(1e6).fill(0)]`,
        python: 'return [[7] * 50000, [0] * 1000000]',
      },
      async (program) => {
        const { value } = await run(program)
        expect((value as number[][]).map((items) => items.length)).toEqual([50_000, 1_000_000])
      },
    )

    backend.it(
      'a list of 6,000,000 items as argument',
      {
        typescript: `return await tools.count(new Array(6e6).fill(0))`,
        python: 'return await tools.count([0] * 6000000)',
      },
      async (program) => {
        expect((await run(program, { tools: { count: (list: unknown[]) => list.length } })).value).toBe(6_000_000)
      },
    )

    backend.it(
      'a shared subtree is copied twice',
      { typescript: `const a = { x: 1 }; return [a, a]`, python: 'a = {"x": 1}\nreturn [a, a]' },
      async (program) => {
        const { value } = await run(program)
        const [first, second] = value as object[]
        expect(value).toEqual([{ x: 1 }, { x: 1 }])
        expect(first).not.toBe(second)
      },
    )
  })

  describe('what cannot cross is refused with its place', () => {
    const rows: readonly [title: string, typescript: string, path: string, python?: string][] = [
      ['NaN', '[1, { x: NaN }]', '$[1].x', '[1, {"x": float("nan")}]'],
      ['infinity', '{ a: Infinity }', '$.a', '{"a": float("inf")}'],
      ['negative zero', '[-0]', '$[0]', '[-0.0]'],
      ['a bigint', '{ n: 1n }', '$.n'],
      ['an integer of too many digits', '0', '$', '2**53 + 1'],
      ['undefined as a member', '{ rows: [{ when: undefined }] }', '$.rows[0].when'],
      ['undefined as an item', '[undefined]', '$[0]'],
      ['a function', '{ f() {} }', '$.f', '{"f": print}'],
      ['a symbol', '[Symbol("x")]', '$[0]'],
      ['a Date', '{ rows: [0, 1, 2, { when: new Date() }] }', '$.rows[3].when'],
      ['a Map', '{ m: new Map() }', '$.m'],
      ['a Set', '[new Set()]', '$[0]', '[{1}]'],
      ['bytes', '{ b: Buffer.from("a") }', '$.b', '{"b": b"a"}'],
      ['a class instance', '[new (class Point {})()]', '$[0]'],
      ['a promise', '{ p: tools.one() }', '$.p'],
      ['an error', '{ e: new Error("x") }', '$.e'],
      ['a boxed string', '[new String("x")]', '$[0]'],
      ['a sparse array', '{ s: [1, , 3] }', '$.s[1]'],
      ['an array without its last items', '(() => { const a = [1]; a.length = 3; return { a } })()', '$.a[1]'],
      ['a decorated array', '{ a: Object.assign([1], { x: 1 }) }', '$.a'],
      ['a subclass of Array', '[new (class List extends Array {})()]', '$[0]'],
      ['a symbol key', '{ a: { [Symbol("k")]: 1 } }', '$.a'],
      ['a hidden key', '{ a: Object.defineProperty({}, "h", { value: 1 }) }', '$.a.h'],
      ['its own toJSON', '{ a: { toJSON: () => 1 } }', '$.a.toJSON'],
      ['a getter that throws', '{ a: { get x() { throw new Error("never shown") } } }', '$.a.x'],
      [
        'a cycle',
        '(() => { const a = { list: [] }; a.list.push(a); return a })()',
        '$.list[0]',
        '(lambda a: a.append(a) or a)([])',
      ],
      [
        'an accessor that shortens its array',
        '(() => { const a = [1, 2, 3]; Object.defineProperty(a, 0, { get() { a.length = 1; return 1 }, enumerable: true }); return { a } })()',
        '$.a[1]',
      ],
      ['a key that is no string', '{}', '$', '{1: 1, "1": 2}'],
    ]
    for (const [title, typescript, path, python] of rows) {
      const texts = {
        ...(title === 'an integer of too many digits' || title === 'a key that is no string'
          ? {}
          : { typescript: `return ${typescript}` }),
        ...(python === undefined ? {} : { python: `return ${python}` }),
      }
      backend.it(title, texts, async (program) => {
        const { error, ...rest } = await run(program, { tools: TOOLS })
        expect(error?.kind).toBe('invalid-output')
        expect(error?.message).toContain('must be lossless JSON')
        if (backend.language === 'typescript') expect(error?.message).toContain(`${path}:`)
        expect(error?.message).not.toContain('never shown')
        expect(rest).not.toHaveProperty('value')
      })
    }

    backend.each(
      [
        ['a Date', { typescript: 'return new Date(0)' }, '.toISOString()'],
        ['bytes', { typescript: 'return Buffer.from("a")' }, 'base64'],
        ['a Set', { typescript: 'return new Set()' }, '[...set]'],
        ['a promise of a call', { typescript: 'return [tools.one()]' }, 'await'],
      ],
      async (program, hint: string) => {
        expect((await run(program, { tools: TOOLS })).error?.message).toContain(hint)
      },
    )
  })

  describe('each slot is read once', () => {
    backend.it(
      'of a completion and of an argument',
      {
        typescript: `let reads = 0; const value = { get x() { return ++reads }, list: Object.defineProperty([0], 0, { get: () => ++reads, enumerable: true }) }; return [await tools.echo(value), reads, value]`,
      },
      async (program) => {
        expect((await run(program, { tools: TOOLS })).value).toEqual([{ x: 1, list: [2] }, 2, { x: 3, list: [4] }])
      },
    )

    backend.it(
      'a proxy of plain data is read by its traps',
      { typescript: `return new Proxy({ a: [1] }, {})` },
      async (program) => expect((await run(program)).value).toEqual({ a: [1] }),
    )

    backend.it(
      'a toJSON on a shared prototype is ignored',
      {
        typescript: `Object.prototype.toJSON = () => 'changed'; Array.prototype.toJSON = () => 'changed'; return { a: [1, await tools.echo({ b: 2 })] }`,
      },
      async (program) => expect((await run(program, { tools: TOOLS })).value).toEqual({ a: [1, { b: 2 }] }),
    )

    it('a value is encoded when it was validated: a later change does not count', async () => {
      const list = [1]
      const program = 'return await tools.get()'
      const get = () => {
        setImmediate(() => list.push(2))
        return list
      }
      const tools = { get }
      expect((await run(program, { tools })).value).toEqual([1])
    })
  })
})

const depthOf = (value: unknown): number => {
  let depth = 0
  for (let at = value; typeof at === 'object' && at !== null; at = Object.values(at)[0]) depth += 1
  return depth
}
