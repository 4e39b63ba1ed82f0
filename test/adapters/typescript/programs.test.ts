import { expect, test } from 'vitest'
import { codeOf, runProgram } from './run-program.js'

test.each([
  ['an empty program', '', undefined],
  ['a program of blanks', ' \n\t\r\n', undefined],
  ['a program of comments', '// one\n/* two */', undefined],
  ['a program of types', 'type A = number\ninterface B { a: A }', undefined],
  ['a top-level return', 'return 1', 1],
  ['a top-level await', 'return await Promise.resolve(2)', 2],
  ['a last line that is a comment', 'return 1 as number // done', 1],
  ['a last line that is an open comment of a line', 'enum A { x }\nreturn A.x //', 0],
  ['a return before a line end', 'return\n{ a: 1 }', undefined],
  ['a return of an object', 'return {\n  a: 1 as number\n}', { a: 1 }],
  ['a directive', '"use strict"\nreturn 1', 1],
  ['a hashbang', '#!/usr/bin/env node\nreturn 1', 1],
  ['a byte order mark', '\uFEFFreturn 1 as number', 1],
  ['a byte order mark and a hashbang', '\uFEFF#!node\nreturn 1', 1],
  ['CRLF', 'type A = number\r\nlet a: A = 1\r\nreturn a', 1],
  ['the line separators of Unicode', 'let a: string = "\u2028"\u2028return a.length', 1],
  ['an escaped lone surrogate', 'const a: string = "\\ud83d"; return a.length', 1],
  ['strict mode', 'return (function () { return this })()', undefined],
  ['annotations', 'const f = (a: number, b?: string): number => a; let x!: number; x = f(1); return x', 1],
  ['satisfies and as', 'return ({ a: 1 } satisfies { a: number }).a as unknown as string', 1],
  ['a non-null assertion', 'const a: { b?: number } = { b: 1 }; return a!.b! + 1', 2],
  ['generics', 'const f = <T,>(a: T): T => a; return f<number>(3)', 3],
  ['type arguments that are also comparisons', 'const f = (a: number) => [a]; return f<number>(3)', [3]],
  ['comparisons', 'const a = 1, b = 2, c = 0; return [a < b, b > c]', [true, true]],
  [
    'overloads',
    'function f(a: string): 1\nfunction f(a: number): 2\nfunction f(a: unknown) { return a }\nreturn f(4)',
    4,
  ],
  [
    'an abstract class',
    'abstract class A { abstract f(): number; g() { return this.f() } }\nclass B extends A { f() { return 5 } }\nreturn new B().g()',
    5,
  ],
  [
    'class members',
    'class A<T> implements I { declare q: T; private readonly a?: number = 1; static s: string = "s"; [k: string]: unknown }\nreturn [new A().a, A.s]',
    [1, 's'],
  ],
  [
    'declarations without code',
    'declare const q: number\ndeclare function f(): void\ndeclare module "m" {}\ndeclare global {}\nreturn typeof q',
    'undefined',
  ],
  ['a this parameter', 'function f(this: { a: number }) { return this.a }\nreturn f.call({ a: 1 })', 1],
  ['a cast in angle brackets', 'const a = <any>{ b: 1 }\nreturn a.b', 1],
  ['a conditional with arrows', 'const a = true ? (b: number) => b : (c: number): number => c; return a(6)', 6],
])('%s runs', async (_what, program, value) => {
  await expect(runProgram(program)).resolves.toEqual(value)
})

test.each([
  ['an enum', 'enum A { x, y = 5, z }\nreturn [A.x, A.z, A[5]]', [0, 6, 'y']],
  ['a const enum', 'const enum A { x = 1 << 2, y = "s".length }\nreturn [A.x, A.y]', [4, 1]],
  [
    'a string enum',
    'enum A { x = "a", y = `b` }\nreturn Object.entries(A)',
    [
      ['x', 'a'],
      ['y', 'b'],
    ],
  ],
  ['an enum that goes on', 'enum A { x }\nenum A { y = 7 }\nreturn [A.x, A.y]', [0, 7]],
  ['an enum in a block', 'if (true) { enum A { x = 3 }\nreturn A.x }', 3],
  ['a namespace', 'namespace A.B { export const c = 1; export const f = () => c }\nreturn A.B.f()', 1],
  [
    'a namespace of a function',
    'function F() { return 1 }\nnamespace F { export const a = 2 }\nreturn [F(), F.a]',
    [1, 2],
  ],
  [
    'an alias in a namespace',
    'namespace A { export const x = 1 }\nnamespace B { import y = A.x; export const z = y }\nreturn B.z',
    1,
  ],
  [
    'parameter properties',
    'class A { constructor(public a: number, private readonly b = 2) {} }\nreturn { ...new A(1) }',
    { a: 1, b: 2 },
  ],
  ['a raw lone surrogate', 'enum A {}\nreturn "\ud83d".charCodeAt(0)', 0xd83d],
  ['a lone surrogate and a private use character', 'enum A {}\nreturn "\ud83d\ue03d"', '\ud83d\ue03d'],
])('%s is translated', async (_what, program, value) => {
  await expect(runProgram(program)).resolves.toEqual(value)
})

test('plain JavaScript stays as it is', async () => {
  const program = 'for (let i = 0; i < 3; i += 1) await tools.x({ i })\nreturn [1, 2].map((x) => x * 2)'
  await expect(codeOf(program)).resolves.toBe(program)
})

test('a dynamic import stays as it is', async () => {
  const [line] = (await codeOf("const a: any = await import('node:fs')")).split('\n')
  expect(line).toBe("const a      = await import('node:fs')")
})

test('types become blanks', async () => {
  const code = await codeOf('let a: number = 1\ntype B = {\n  c: string\n}\nreturn a as B')
  expect(code.split('\n').slice(0, -1)).toEqual([
    'let a         = 1',
    '          ',
    '           ',
    ' ',
    'return a     ',
  ])
})

test('an erased type of wide characters keeps its columns', async () => {
  const [line = ''] = (await codeOf("let a: '日本é😀' = b; c()")).split('\n')
  expect(line.indexOf('c()')).toBe("let a: '日本é😀' = b; ".length)
})

test('a raw lone surrogate stays one', async () => {
  await expect(runProgram('const a: string = "\ud800"; return a')).resolves.toBe('\ud800')
})

test.each([
  ['plain JavaScript', 'return 1'],
  ['TypeScript without types to erase', 'const a = 1 < 2, b = 2 > 1; return a && b'],
])('a source map that %s ends with is not taken for ours', async (_what, program) => {
  const forged = `${program}\n//# sourceMappingURL=data:application/json;base64,e30=`
  expect((await codeOf(forged)).split('\n').at(-1)).toBe('')
})

test('code that differs from the program ends with its text', async () => {
  const map = (await codeOf('let a: number = 1')).split('base64,').at(-1) ?? ''
  expect(JSON.parse(Buffer.from(map, 'base64').toString())).toEqual({
    version: 3,
    sources: ['<model>'],
    sourcesContent: ['let a: number = 1'],
    names: [],
    mappings: '',
  })
})

test('programs at the same time get their own code', async () => {
  const numbers = Array.from({ length: 20 }, (_, index) => index)
  const values = await Promise.all(numbers.map((index) => runProgram(`const a: number = ${index}; return a`)))
  expect(values).toEqual(numbers)
})
