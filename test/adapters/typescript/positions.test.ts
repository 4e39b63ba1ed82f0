import { expect, test } from 'vitest'
import { thrownAt } from './run-program.js'

const THROW = "throw new Error('x')"

test.each([
  ['nothing special', 'let a = 1\n\n\n\n\n\n'],
  ['types', 'type A = {\n  b: string;\n}\ninterface B extends Array<A> {\n}\nlet c: A | B\n'],
  ['a template literal', `const a: string = \`1\n2\n\${3}\n4\`\n\n\n`],
  ['an enum', 'enum A {\n  b,\n  c = 3,\n}\nlet d: A = A.b\n\n'],
  ['an enum and a template literal', `enum A { b }\nconst c = \`1\n2 \${A.b}\n\n\`\n\n`],
  ['a namespace', 'namespace A {\n  export const b = 1\n}\n\n\n\n'],
  ['parameter properties', 'class A {\n  constructor(private b: number) {\n  }\n}\n\n\n'],
  ['comments', '/*\n\n*/ enum A { b } // c\n// d\n\n\n'],
  ['CRLF', 'enum A {\r\n b\r\n}\r\n\r\n\r\n\r\n'],
  ['line separators of Unicode', 'enum A { b }\u2028const c = `\u2029`\u2028"\u2028"\u2028\n'],
  ['a lone CR', 'enum A { b }\r\r\r\r\r\r'],
])('a throw at 7:5 after %s is told at 7:5', async (_what, before) => {
  await expect(thrownAt(`${before}    ${THROW}`)).resolves.toEqual({ line: 7, column: 11 })
})

test.each([
  ['strip', 'const a: string = "日本😀é"; '],
  ['translation', 'enum A { b }; const a: string = "日本😀é"; '],
  ['a lone surrogate', 'enum A { b }; const a: string = "\ud800"; '],
])('columns after wide characters are true after %s', async (_what, before) => {
  await expect(thrownAt(before + THROW)).resolves.toEqual({ line: 1, column: before.length + 'throw '.length + 1 })
})

test.each([
  ['strip', 'let f: () => void\n'],
  ['translation', 'enum A { b }\n'],
])('a position within a call is true after %s', async (_what, before) => {
  await expect(thrownAt(`${before}const o: any = { p: 1 }; return o.p.q.r()`)).resolves.toEqual({ line: 2, column: 39 })
})
