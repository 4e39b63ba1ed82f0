import { expect, test } from 'vitest'
import { messageOf } from './run-program.js'

test('a refusal shows the class, the text, the place and the line', async () => {
  await expect(messageOf('let a: number = 1\n\n  foo(a b)')).resolves.toBe(
    ["SyntaxError: Expected ',', got 'ident'", '    at <model>:3:9', '3 |   foo(a b)', '            ^'].join('\n'),
  )
})

/** The first line and the position, which is all that differs. */
const refusal = async (program: string): Promise<string> => {
  const [text = '', place = ''] = (await messageOf(program)).split('\n')
  return `${place.replace('    at <model>:', '')} ${text.replace('SyntaxError: ', '')}`
}

test.each([
  ['two names in a row', 'foo bar', "1:5 Expected ';', '}' or the end"],
  ['a constant without a value', 'const a', "1:7 'const' declarations must be initialized"],
  ['an open string', 'let a = "b\nc', '1:9 Unterminated string constant'],
  ['a curly quote', 'const a = “b”', "1:11 Unexpected character '“'"],
  ['a curly quote after a tab and wide characters', '\t"日本😀"; x = ”', "1:14 Unexpected character '”'"],
  ['a NUL', 'a\0', "1:2 Expected ';', '}' or the end"],
  ['an error after a tab', '\t\tx y', "1:5 Expected ';', '}' or the end"],
  ['an error after wide characters', '"日本😀"; x y', "1:11 Expected ';', '}' or the end"],
  ['an error after combining characters', '"é̀"; x y', "1:9 Expected ';', '}' or the end"],
  ['an error after a line separator', 'a\u2028"日" y', "2:5 Expected ';', '}' or the end"],
  ['an error after a CR', 'a\rb c', "2:3 Expected ';', '}' or the end"],
  [
    'an octal literal',
    '\nreturn 010',
    '2:8 Legacy octal literals are not available when targeting ECMAScript 5 and higher',
  ],
  ['`await` as a name', 'let await', '1:5 `await` cannot be used as an identifier in an async context'],
  ['a lone surrogate outside of a string', 'let a = \ud800', "1:9 Unexpected character '\\u{d800}'"],
  ['an HTML comment', 'a\n<!-- b', '2:1 HTML comments (`<!--` and `-->`) are not available in a program'],
  ['the end of an HTML comment', 'a\n--> b', '2:1 HTML comments (`<!--` and `-->`) are not available in a program'],
])('swc finds %s', async (_what, program, expected) => {
  await expect(refusal(program)).resolves.toBe(expected)
})

test.each([
  ['a name declared twice', 'let x: number\n  let x', "2:7 Identifier 'x' has already been declared"],
  [
    'a name declared twice in translated code',
    'enum A { b }\n\n  let x; let x',
    "3:14 Identifier 'x' has already been declared",
  ],
  ['an octal escape', 'f<T>("\\08")', '1:8 Octal escape sequences are not allowed in strict mode.'],
  ['a private name', '\n\nx.#a', "3:2 Private field '#a' must be declared in an enclosing class"],
  ['a private name alone', '#a', "1:1 Private field '#a' must be declared in an enclosing class"],
  ['a pattern', 'return /(/', '1:8 Invalid regular expression: /(/: Unterminated group'],
  [
    'a pattern in a function',
    'const f = () => /[z-a]/',
    '1:17 Invalid regular expression: /[z-a]/: Range out of order in character class',
  ],
  ['the deletion of a name', 'delete x', '1:8 Delete of an unqualified identifier in strict mode.'],
  ['`super` outside', 'super()', "1:1 'super' keyword unexpected here"],
  ['`import.meta`', 'return import.meta', "1:15 Cannot use 'import.meta' outside a module"],
  ['a NUL before the error', '"\0"; let x; let x', "1:17 Identifier 'x' has already been declared"],
])('V8 finds %s', async (_what, program, expected) => {
  await expect(refusal(program)).resolves.toBe(expected)
})

test.each([
  'foo(',
  'if (a) {\n  b()\n',
  '[1, 2',
  '`a${',
  'function f() {',
  'class A {',
  'let x =',
  'let a: ',
  'a ? b',
  'a as',
])('the unfinished program %j ends too early', async (program) => {
  const text = 'Unexpected end of the program: a bracket, a block or an expression is not finished'
  await expect(messageOf(program)).resolves.toContain(`SyntaxError: ${text}\n    at <model>:`)
})

test('the place of an early end is the last of the text', async () => {
  await expect(messageOf('if (a) {\n  b()\n\n')).resolves.toContain('at <model>:2:6\n2 |   b()\n         ^')
})

test.each(['/* a', '`a', `\`a\${b}`])('the open text %j is named', async (program) => {
  await expect(messageOf(program)).resolves.toMatch(/^SyntaxError: Un(terminated|expected end)/)
})

test.each([
  ['}', '1:1'],
  ['};', '1:1'],
  ['a }\nb', '1:3'],
  ['}; async function x() {', '1:1'],
  ['if (a) { } }\nfoo()', '1:12'],
  ['enum A { x }\n}; async function x() {', '2:1'],
])('the program %j closes no block of ours', async (program, place) => {
  await expect(refusal(program)).resolves.toBe(`${place} Unexpected '}': it closes no block of the program`)
})

test.each([
  '})',
  '}); (async () => {',
  '}); (async function () {',
  'enum A {}\n}); (async () => {',
  ')',
  '}}',
  '*/',
  '})()',
  'let a: T\n}, async () => {',
])('the program %j does not leave its wrapper', async (program) => {
  await expect(messageOf(program)).resolves.toMatch(/^SyntaxError: [^\n]+\n {4}at <model>:\d/)
})

test.each([
  ['a decorated class', 'const a: T = 1\n  @dec class A {}', '2:3', 'Decorators'],
  ['a decorated member', 'class A {\n  @dec() x = 1 }', '2:3', 'Decorators'],
  ['a decorator in translated code', 'enum E {}\n\nclass A { @dec() x = 1 }', '3:11', 'Decorators'],
  ['JSX', 'return <div>hi</div>', '1:16', 'JSX'],
  ['JSX with attributes', 'const a = (\n  <A b="c">\n  </A>\n)', '2:6', 'JSX'],
  ['JSX without children', 'const a = <A />;\nreturn a', '1:16', 'JSX'],
  ['a fragment', 'return <></>', '1:13', 'JSX'],
])('%s is refused with what to write instead', async (_what, program, place, first) => {
  await expect(refusal(program)).resolves.toMatch(
    new RegExp(`^${place} ${first} (is|are) not available in a program: `),
  )
})

test('a tag in a string is no JSX', async () => {
  await expect(refusal('a = "<b>c</b>" d')).resolves.toBe("1:16 Expected ';', '}' or the end")
})

const hasUsing = (() => {
  try {
    new Function('{ using x = null }')
    return true
  } catch {
    return false
  }
})()

test.runIf(hasUsing).each(['using a = null', 'await using a: T = null'])(
  '%s is taken where V8 takes it',
  async (program) => {
    await expect(messageOf(program)).rejects.toThrow('accepted')
  },
)

test.skipIf(hasUsing).each([
  ['  using a = null', '1:3'],
  ['let b: T\nawait using a = null', '2:1'],
  ['for (using a of b) c()', '1:6'],
])('%j is refused with what to write instead', async (program, place) => {
  const text = '`using` declarations are not available on this Node.js: use `try { ... } finally { ... }`'
  await expect(refusal(program)).resolves.toBe(`${place} ${text}`)
})
