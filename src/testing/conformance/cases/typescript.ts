import { deepStrictEqual, ok } from 'node:assert'
import type { ConformanceCase } from '../case.js'
import { ABSENT, hasShape } from '../check.js'
import { rows } from '../expectations.js'
import { HOST_TRACES } from '../tools.js'

const LIMITS = { maxWallMs: 20_000 }

const ACCEPTED = rows<[program: string, value: unknown]>(
  [
    [
      'types',
      `interface A { x: number }\ntype B = A & { y?: string }\nconst b: B = { x: 1 }\nfunction id<T>(value: T): T { return value }\nreturn id<number>(b.x)`,
      1,
    ],
    [
      'enum',
      `enum Level { Low, High = 5, Text = 'x' }\nreturn [Level.Low, Level.High, Level[5], Level.Text]`,
      [0, 5, 'High', 'x'],
    ],
    ['const enum', `const enum E { A = 1, B = A << 2 }\nreturn E.B`, 4],
    ['namespace', `namespace N { export const x = 1; export namespace M { export const y = x + 1 } }\nreturn N.M.y`, 2],
    [
      'parameter properties',
      `class P { constructor(public readonly x: number, private y = 2) {} sum() { return this.x + this.y } }\nreturn new P(1).sum()`,
      3,
    ],
    ['satisfies and as', `const a = { x: 1 } satisfies Record<string, number>\nreturn (a as any).x!`, 1],
    [
      'abstract classes and overloads',
      `abstract class A { abstract f(): number; declare g: string }\nclass B extends A { f(): number; f() { return 1 } }\nreturn new B().f()`,
      1,
    ],
    ['generics and arrows', `const f = <T,>(x: T): T => x\nreturn f<string>('x')`, 'x'],
    ['private fields', `class A { #x = 1; get x() { return this.#x } static { } }\nreturn new A().x`, 1],
    ['optional chaining and nullish', `const a: { b?: { c: number } } = {}\nreturn a.b?.c ?? 7`, 7],
    ['a generator', `function* g(): Generator<number> { yield 1; yield 2 }\nreturn [...g()]`, [1, 2]],
    ['for await', `let n = 0\nfor await (const x of [1, Promise.resolve(2)]) n += x\nreturn n`, 3],
    [
      'labels',
      `outer: for (const a of [1, 2]) { for (const b of [1, 2]) { if (b === 2) continue outer; if (a === 2) break outer } }\nreturn 'x'`,
      'x',
    ],
    ['a regular expression and a template', `const s = \`a\${\`b\${1}\`}\`\nreturn /a(?<n>b)/.exec(s)!.groups!.n`, 'b'],
    ['line separators in text', 'return "\u2028\u2029".length', 2],
    ['windows line ends', 'const a: number = 1\r\nconst b = 2\r\nreturn a + b', 3],
    ['a shebang', '#!/usr/bin/env node\nreturn 1', 1],
    ['a byte order mark', '\ufeffreturn 1', 1],
    ['a last line that is a comment', 'return 1 // the end', 1],
    ['a block comment at the end', 'return 1 /* the end */', 1],
    ['an empty program', '', undefined],
    ['only a comment', '// nothing', undefined],
    ['an arrow that is generic and async', 'const f = async <T,>(x: T) => x\nreturn await f(1)', 1],
    ['undefined', 'return undefined', undefined],
    ['strict mode', 'return (function () { return this === undefined })()', true],
    ['no this at the top', 'return this === undefined', true],
    [
      'the names of the wrapper are not there',
      `return typeof require + typeof module + typeof exports + typeof __filename`,
      'undefinedundefinedundefinedundefined',
    ],
    [
      'globals of Node',
      `return [typeof fetch, typeof structuredClone, typeof Buffer, typeof URL, typeof AbortSignal, typeof performance]`,
      ['function', 'function', 'function', 'function', 'function', 'object'],
    ],
    [
      'built-in classes match',
      `return [Buffer.from('a') instanceof Uint8Array, [] instanceof Array, (await tools.echo({})) instanceof Object, Promise.resolve() instanceof Promise, tools.one() instanceof Promise]`,
      [true, true, true, true, true],
    ],
    [
      'dynamic import',
      `const { basename } = await import('node:path')\nconst fs = await import('node:fs/promises')\nreturn [basename('/a/b'), typeof fs.readFile]`,
      ['b', 'function'],
    ],
    ['import of a data url', `const m = await import('data:text/javascript,export default 5')\nreturn m.default`, 5],
    ['eval and Function', `return [(0, eval)('1 + 1'), new Function('return 3')()]`, [2, 3]],
    ['WebAssembly', `return WebAssembly.validate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))`, true],
    ['a program of 1 MB', `const text = '${'x'.repeat(1_000_000)}'\nreturn text.length`, 1_000_000],
  ],
  (program, value) => ({
    section: '3.6',
    programs: { typescript: program },
    requires: ['platform'],
    limits: LIMITS,
    reports: ['nodejs/help#4536'],
    run: async ({ run }) => {
      const result = await run()
      hasShape(result, { error: ABSENT, logs: [] })
      deepStrictEqual(['value' in result, result.value], [value !== undefined, value])
    },
  }),
  (title) => `accepted: ${title}`,
)

const REFUSED = rows<[program: string, message: RegExp, line: number | undefined]>(
  [
    ['a static import', `import fs from 'node:fs'\nreturn 1`, /await import\(/, 1],
    ['a static import further down', `const a = 1\nimport { readFile } from 'node:fs'`, /await import\(/, 2],
    ['a type-only import', `import type { Stats } from 'node:fs'\nreturn 1`, /import/, 1],
    ['an export', `const a = 1\nexport const b = 2`, /export/, 2],
    ['an unclosed brace', `function f() {\n  return 1\n`, /./, undefined],
    ['an unclosed text', `const a = 1\nconst b = 'x\nconst c = 1`, /./, 2],
    ['an unclosed template', 'const a = `x\nreturn 1', /./, undefined],
    ['a closed wrapper', `return 1 })(); (async function () { return 2`, /./, 1],
    ['a wrapper closed by a brace', `} {`, /./, 1],
    ['a closed arrow', `}); (async () => {`, /./, 1],
    ['an unclosed comment', `return 1 /* `, /./, undefined],
    ['a comment that eats the end', `/*\n})() /*`, /./, undefined],
    ['a duplicate declaration', `let a = 1\nlet a = 2`, /a/, 2],
    ['a reserved word', `let await = 1`, /./, 1],
    ['an octal literal', `return 010`, /./, 1],
    ['with', `with ({}) {}`, /./, 1],
    ['delete of a name', `let a = 1\ndelete a`, /./, 2],
    ['a private name that is not declared', `class A {}\nnew A().#x`, /x/, 2],
    ['a break outside of a loop', `break`, /./, 1],
    ['yield', `yield 1`, /./, 1],
    ['HTML comments that hide code', `<!-- x\nreturn 1`, /./, undefined],
    ['a decorator', `function d(x: any) { return x }\n@d class A {}\nreturn 1`, /decorator|./i, 2],
  ],
  (program, message, line) => ({
    section: '3.6',
    programs: { typescript: program },
    requires: ['syntax-check'],
    limits: LIMITS,
    ...(program.startsWith('import') && { reports: ['(dynamic import)'] }),
    run: async ({ run }) => {
      const states: string[] = []
      const { error, logs } = await run({ onEvent: (event) => event.type === 'state' && states.push(event.state) })
      hasShape([error?.kind, error?.message, logs], ['exception', message, []])
      hasShape(error?.message, line === undefined ? /<model>/ : new RegExp(`<model>:${line}:\\d+`))
      ok(!HOST_TRACES.test(error?.message ?? ''), `no trace of the host in ${error?.message}`)
      ok(!states.includes('starting'), `it came to ${states}`)
    },
  }),
  (title) => `one clear error before a guest starts: ${title}`,
)

export const TYPESCRIPT_CASES: readonly ConformanceCase[] = [...ACCEPTED, ...REFUSED]
