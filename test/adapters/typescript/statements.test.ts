import ts from 'typescript'
import { expect, test } from 'vitest'
import { runBody, runProgram } from './run-program.js'

/** What TypeScript's own compiler makes of the program. */
const runByTypeScript = (program: string): Promise<unknown> => {
  const compilerOptions = { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext }
  const { outputText } = ts.transpileModule(`async function f() {\n${program}\n}`, { compilerOptions })
  return runBody(`${outputText}\nreturn f()`)
}

const erased = [
  'type T = number',
  'type T = { a: 1; b: 2 }',
  'interface I { a: 1; b: 2 }',
  'declare let d: number',
  'declare function d(a: 1): void',
  'declare class D { a: 1 }',
  'declare namespace N {}',
  'namespace Empty {}',
  'function over(a: string): void',
]
const separators = [
  '\n;',
  ';\n',
  '; // c ;\n',
  ' // c\n;',
  ' /* c */\n;',
  ';/* c */',
  '\r\n;',
  '\n\n  ;  ',
  '\n',
  '\u2028;',
]
const next = [
  '[2].forEach((n) => out.push(n))',
  '(() => out.push(3))()',
  `\`\${out.push(4)}\`.length`,
  '/5/.test(String(out.push(5)))',
  '+out.push(6)',
  '-out.push(7)',
  '++n',
]

const programOf = (declaration: string, separator: string, statement: string): string => {
  const implementation = declaration.startsWith('function') ? 'function over() {}' : ''
  return [
    'const out: unknown[] = []',
    'let n: any = 1',
    'let x = n',
    `${declaration}${separator}${statement}`,
    implementation,
    'return [out, n, x]',
  ].join('\n')
}

const expectSame = async (program: string): Promise<void> => {
  const expected = await runByTypeScript(program).catch((error: Error) => error.name)
  await expect(
    runProgram(program).catch((error: Error) => error.name),
    program,
  ).resolves.toEqual(expected)
}

test.each(
  erased.flatMap((declaration) => separators.map((separator) => [declaration + separator, declaration, separator])),
)('what follows %j is a statement of its own', async (_what, declaration, separator) => {
  for (const statement of next) await expectSame(programOf(declaration, separator, statement))
})

test.each([
  ['a declaration ends on the line', 'let x = n\ninterface I {} [2].forEach((n) => out.push(n))'],
  ['a comment looks like the end of a statement', 'let x = n // ;\ntype T = 1\n;[2].forEach((n) => out.push(n))'],
  ['a cast ends a line', 'let x = n as any\n;[2].forEach((n) => out.push(n))'],
  ['a cast of several lines is added to', 'let x = n as {\n  a: 1 } + 3'],
  ['a cast goes on with the next line', 'let x = n as number\n  + 3'],
  ['type arguments of several lines are called', 'const f = <T,>(a: T) => a\nlet x = f<{\n  a: 1\n}>({ a: 1 })'],
  ['a declaration is the body of an `if`', 'let x = n\nif (n) type T = 1; else out.push(1)\nout.push(2)'],
  ['a declaration without an end is the body of an `if`', 'let x = n\nif (!n) type T = 1\nout.push(2)'],
])('the program means the same when %s', async (_what, statements) => {
  await expectSame(`const out: unknown[] = []\nlet n: any = 1\n${statements}\nreturn [out, n, x]`)
})

test.each([
  ['class A { x = 1\n declare y: string\n ["z"] = 2 }', 'a computed member'],
  ['class A { x = 1\n declare y: string;\n ["z"] = 2 }', 'a computed member after a semicolon'],
  ['class A { x = 1\n declare y\n *z() {} }', 'a generator'],
  ['abstract class A { x = 1\n abstract y(): void\n *z() {} }', 'a generator after an abstract member'],
  ['class A { x = 1\n declare y\n in = 3 }', 'a member named in'],
  ['class A { async\n declare y: any\n z() {} }', 'a member after one named async'],
  ['class A { get?: any\n z() {} }', 'a member after an optional one named get'],
  ['class A { x = 1\n private ["z"] = 2 }', 'a private computed member'],
  ['class A { x = 1\n private *z() {} }', 'a private generator'],
  ['class A { m(): void\n m(a?: any) {}\n ["z"]() {} }', 'a computed method after an overload'],
])('%j keeps %s', async (declaration) => {
  const describe = 'Object.getOwnPropertyNames(A.prototype), Object.getOwnPropertyNames(A)'
  await expectSame(`${declaration}\nreturn [{ ...new (A as any)() }, ${describe}]`)
})
