import fc from 'fast-check'
import { anyText } from '../support/json-values.js'
import type { Language } from './backends.js'

/** The same code in each language. */
export type Code = Readonly<Record<Language, string>>
/** The same statements in each language, line by line. */
type Lines = Readonly<Record<Language, readonly string[]>>

const code = (typescript: string, python: string): Code => ({ typescript, python })
const both = (text: string): Code => code(text, text)

/** Fills `$0`, `$1` and so on. */
const fill = (template: Code, ...parts: readonly Code[]): Code => {
  const put = (language: Language): string =>
    template[language].replaceAll(/\$(\d)/g, (_match, index: string) => parts[Number(index)]?.[language] ?? '')
  return code(put('typescript'), put('python'))
}

const line = (template: Code, ...parts: readonly Code[]): Lines => {
  const { typescript, python } = fill(template, ...parts)
  return { typescript: [typescript], python: [python] }
}

const join = (parts: readonly Lines[]): Lines => ({
  typescript: parts.flatMap(({ typescript }) => typescript),
  python: parts.flatMap(({ python }) => python),
})

/** A head and an indented body. */
const block = (head: Code, body: readonly Lines[]): Lines => {
  const { typescript, python } = join(body)
  return {
    typescript: [`${head.typescript} {`, ...typescript, '}'],
    python: [`${head.python}:`, ...['pass', ...python].map((text) => `  ${text}`)],
  }
}

const pythonText = (text: string): string => {
  const escaped = (point: number): string =>
    point > 0xffff ? `\\U${point.toString(16).padStart(8, '0')}` : `\\u${point.toString(16).padStart(4, '0')}`
  const isPlain = (point: number): boolean => point >= 0x20 && point < 0x7f && point !== 0x22 && point !== 0x5c
  const points = [...text].map((character) => character.codePointAt(0) as number)
  return `"${points.map((point) => (isPlain(point) ? String.fromCodePoint(point) : escaped(point))).join('')}"`
}

const literal = (text: string): Code => code(JSON.stringify(text), pythonText(text))

// --- expressions ---

const listOf = (parts: readonly Code[]): Code =>
  code(`[${parts.map(({ typescript }) => typescript).join(', ')}]`, `[${parts.map(({ python }) => python).join(', ')}]`)

const objectOf = (entries: readonly (readonly [string, Code])[]): Code => {
  const members = entries.map(([name, value]) => ({ key: literal(name), value }))
  return code(
    `({ ${members.map(({ key, value }) => `[${key.typescript}]: ${value.typescript}`).join(', ')} })`,
    `{${members.map(({ key, value }) => `${key.python}: ${value.python}`).join(', ')}}`,
  )
}

const { integer, text, json } = fc.letrec<{ integer: Code; text: Code; json: Code }>((tie) => ({
  integer: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.integer({ min: -50, max: 50 }).map((value) => both(String(value))),
    fc.constantFrom(both('a'), both('b'), code('items.length', 'len(items)')),
    fc
      .tuple(fc.constantFrom('+', '-'), tie('integer'), tie('integer'))
      .map(([sign, ...parts]) => fill(both(`($0 ${sign} $1)`), ...parts)),
    tie('integer').map((value) =>
      fill(code('(await tools.add({ x: $0, y: 1 }))', '(await tools.add(x=$0, y=1))'), value),
    ),
    fc.nat(40).map((depth) => both(`down(${depth})`)),
  ),
  text: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(anyText, fc.constantFrom('', 'a\nb', '\n', 'é😀', '"\\')).map(literal),
    fc.constant(both('s')),
    fc.tuple(tie('text'), tie('text')).map((parts) => fill(both('($0 + $1)'), ...parts)),
    fc
      .tuple(tie('text'), fc.nat(30))
      .map(([value, count]) => fill(code(`$0.repeat(${count})`, `($0 * ${count})`), value)),
    tie('integer').map((value) => fill(code('String($0)', 'str($0)'), value)),
  ),
  json: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    tie('integer'),
    tie('text'),
    fc.constantFrom(code('null', 'None'), code('true', 'True'), both('v'), both('items')),
    fc.integer({ min: -99, max: 99 }).map((value) => both(String(value / 8 + 0))),
    fc.array(tie('json'), { maxLength: 4 }).map(listOf),
    fc.array(fc.tuple(anyText, tie('json')), { maxLength: 4 }).map(objectOf),
    tie('json').map((value) => fill(both('(await tools.echo($0))'), value)),
  ),
}))

/** What cannot cross in either language, or just can. */
const odd = fc
  .tuple(
    fc.constantFrom(
      code('Number.NaN', 'float("nan")'),
      code('-0', '-0.0'),
      code('-Infinity', 'float("-inf")'),
      code('9007199254740993n', '9007199254740993'),
      both('9007199254740992'),
      both('(2 ** 60)'),
      both('1e308'),
      code('(() => 1)', '(lambda: 1)'),
      code('new Set([1])', '{1}'),
      code('new Date(0)', '__import__("datetime").date(2020, 1, 1)'),
      code('new Uint8Array(2)', 'b"ab"'),
      code('new Error("x")', 'Exception("x")'),
      code('Symbol("x")', 'object()'),
      code('new (class Odd {})()', '(1, 2)'),
      code('(() => { const x = []; x.push(x); return x })()', '(lambda x: x.append(x) or x)([])'),
      code('"x".repeat(998)', '"x" * 998'),
      code('"x".repeat(999)', '"x" * 999'),
      code('"é".repeat(499)', '"é" * 499'),
      code('Array(600).fill(1)', '[1] * 600'),
    ),
    fc.constantFrom(both('$0'), both('$0'), both('[$0]'), code('({ a: [1, $0] })', '{"a": [1, $0]}')),
  )
  .map(([value, place]) => fill(place, value))

// --- statements ---

const lineOf = (template: Code, value: fc.Arbitrary<Code>): fc.Arbitrary<Lines> =>
  value.map((part) => line(template, part))

const tried = (inner: readonly Lines[], last: readonly Lines[]): Lines => {
  const attempt = block(both('try'), inner)
  const caught = block(code('catch (e)', 'except Exception as e'), [
    line(
      code(
        `console.log(e instanceof ToolError && e.tool === 'fail' ? e.message : e instanceof Error)`,
        `print(str(e) if isinstance(e, ToolError) and e.tool == "fail" else "true")`,
      ),
    ),
  ])
  return join([attempt, caught, block(both('finally'), last)])
}

/** A function of the program, which ends by what it returns, and a call of it. */
const called = (inner: readonly Lines[], value: Code): Lines => {
  const body = [...inner, line(both('return $0'), value)]
  const { typescript } = block(code('helper = async () =>', ''), body)
  const { python } = block(code('', 'async def helper()'), [line(code('', 'global a, b, s, v, helper')), ...body])
  return join([{ typescript, python }, line(code('v = (await helper()) ?? null', 'v = await helper()'))])
}

const { statement } = fc.letrec<{ statement: Lines }>((tie) => {
  const body = fc.array(tie('statement'), { maxLength: 3 })
  return {
    statement: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      lineOf(code('console.log($0)', 'print($0)'), text),
      lineOf(code('console.log($0)', 'print($0)'), integer),
      lineOf(code('process.stdout.write($0)', 'print($0, end="", flush=True)'), text),
      lineOf(code('console.error($0)', 'print($0, file=sys.stderr)'), text),
      fc.tuple(fc.constantFrom('a', 'b'), integer).map(([name, value]) => line(both(`${name} = $0`), value)),
      lineOf(both('s = $0'), text),
      lineOf(both('v = $0'), json),
      lineOf(code('items.push($0)', 'items.append($0)'), json),
      fc
        .integer({ min: 2, max: 5 })
        .map((count) =>
          line(
            code(
              `console.log((await Promise.all(Array.from({ length: ${count} }, (_, i) => tools.add({ x: i, y: a })))).join())`,
              `print(",".join(str(x) for x in await asyncio.gather(*(tools.add(x=i, y=a) for i in range(${count})))))`,
            ),
          ),
        ),
      lineOf(code('throw new Error($0)', 'raise Exception($0)'), text),
      lineOf(code('await tools.fail($0)', 'await tools.fail($0)'), json),
      lineOf(code('await tools.echo($0)', 'await tools.echo($0)'), odd),
      fc.constantFrom(
        line(code('tools.nope()', 'tools.nope()')),
        line(code('process.exit(3)', 'os._exit(3)')),
        line(code('null.x', 'None.x')),
      ),
      lineOf(both('return $0'), fc.oneof(json, odd)),
      fc
        .tuple(integer, integer, body)
        .map(([one, other, inner]) => block(fill(code('if ($0 < $1)', 'if $0 < $1'), one, other), inner)),
      fc
        .tuple(fc.nat(3), body)
        .map(([count, inner]) =>
          block(code(`for (let i = 0; i < ${count}; i += 1)`, `for i in range(${count})`), inner),
        ),
      fc
        .tuple(fc.constantFrom('break', 'continue'), integer, integer, body)
        .map(([word, one, other, inner]) =>
          block(code('for (let j = 0; j < 3; j += 1)', 'for j in range(3)'), [
            ...inner,
            block(fill(code('if ($0 < $1)', 'if $0 < $1'), one, other), [line(both(word))]),
          ]),
        ),
      fc.tuple(body, body).map(([inner, last]) => tried(inner, last)),
      fc.tuple(body, json).map(([inner, value]) => called(inner, value)),
    ),
  }
})

/** With types the program goes through the compiler, without them it does not. */
const prelude = (isTyped: boolean): Lines => ({
  typescript: [
    `let a${isTyped ? ': any' : ''} = 1, b = 2, s = 's', v = null, helper`,
    'const items = []',
    'const down = (n) => (n <= 0 ? 0 : 1 + down(n - 1))',
  ],
  python: [
    'import asyncio, os, sys',
    'a, b, s, v = 1, 2, "s", None',
    'items = []',
    'def down(n): return 0 if n <= 0 else 1 + down(n - 1)',
  ],
})

const END = line(code('return null', 'return None'))

/** A program that prints, throws, calls and returns the same in every language. */
export const anyProgram: fc.Arbitrary<Code> = fc
  .tuple(fc.boolean(), fc.array(statement, { minLength: 1, maxLength: 6 }))
  .map(([isTyped, statements]) => {
    const { typescript, python } = join([prelude(isTyped), ...statements, END])
    return code(typescript.join('\n'), python.join('\n'))
  })
