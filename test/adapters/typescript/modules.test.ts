import { expect, test } from 'vitest'
import { messageOf } from './run-program.js'

test.each([
  ["import fs from 'node:fs'", "const fs = (await import('node:fs')).default"],
  ["import * as ns from 'x';", "const ns = await import('x')"],
  ["import { a } from 'x'", "const { a } = await import('x')"],
  ["import { a as b, c } from 'x'", "const { a: b, c } = await import('x')"],
  ["import { default as a } from 'x'", "const { default: a } = await import('x')"],
  ["import { type A, b, } from 'x'", "const { b } = await import('x')"],
  ["import {\n  a,\n  b\n} from 'x'\nreturn a", "const { a, b } = await import('x')"],
  ["import fs, { a } from 'x'", "const { default: fs, a } = await import('x')"],
  ["import fs, * as ns from 'x'", "const ns = await import('x'), fs = ns.default"],
  ['import "x"', 'await import("x")'],
  ["import fs = require('node:fs')", "const fs = (await import('node:fs')).default"],
  ['import b = A.b.c', 'const b = A.b.c'],
  ["import a from 'x' with { type: 'json' }", "await import('node:fs')"],
  ['import', "await import('node:fs')"],
])('the line %j is refused with the one to write', async (line, replacement) => {
  await expect(messageOf(`const before: number = 1\n${line}`)).resolves.toContain(
    `SyntaxError: Static \`import\` is not available in a program: use \`${replacement}\`\n    at <model>:2:1\n2 | import`,
  )
})

test.each(["import type { A } from 'x'", "import type A from 'x'", "import type * as A from 'x'"])(
  'the line %j is told to be unneeded',
  async (line) => {
    await expect(messageOf(line)).resolves.toMatch(/^SyntaxError: `import type` is not needed .*await import\(/)
  },
)

test.each([
  ['export const a = 1', 'leave it out and use `return` for the result'],
  ['export { a }', 'leave it out and use `return` for the result'],
  ["export * from 'x'", 'leave it out and use `return` for the result'],
  ['export type A = 1', 'leave it out and use `return` for the result'],
  ['export = 1', 'leave it out and use `return` for the result'],
  ['export default 1', 'use `return`'],
])('the line %j is refused with what to do', async (line, advice) => {
  await expect(messageOf(`\n  ${line}`)).resolves.toContain(
    `SyntaxError: \`export\` is not available in a program: ${advice}\n    at <model>:2:3\n`,
  )
})

test('an import in a function is refused at its place', async () => {
  await expect(messageOf("function f() {\n  import a from 'x'\n}")).resolves.toContain('at <model>:2:3')
})
