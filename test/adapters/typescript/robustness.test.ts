import { expect, test } from 'vitest'
import { messageOf, runProgram, transform } from './run-program.js'

const TOO_DEEP = 'SyntaxError: The program is nested too deeply to be parsed'
const LEVELS = 100_000

test.each([
  ['parentheses', `return ${'('.repeat(LEVELS)}1${')'.repeat(LEVELS)}`],
  ['arrays', `return ${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`],
  ['blocks', '{'.repeat(LEVELS) + '}'.repeat(LEVELS)],
  ['open blocks', '{'.repeat(LEVELS)],
  ['templates', `return ${'`${'.repeat(LEVELS)}1${'}`'.repeat(LEVELS)}`],
  ['arrow functions', `return ${'x=>'.repeat(LEVELS)}1`],
  ['types', `type T = ${'('.repeat(LEVELS)}1${')'.repeat(LEVELS)}`],
  ['type arguments', `type T = ${'A<'.repeat(LEVELS)}1${'>'.repeat(LEVELS)}`],
  ['a pattern', `return /${'('.repeat(LEVELS)}${')'.repeat(LEVELS)}/`],
])('a hundred thousand levels of %s end in a message', async (_what, program) => {
  const outcome = await transform(program)
  const message = outcome.ok ? TOO_DEEP : outcome.message
  expect(message).toMatch(/^SyntaxError: /)
  expect(message.length).toBeLessThan(1_000)
})

test('a program after one that broke the compiler is compiled', async () => {
  await expect(messageOf(`let a: T; ${'{'.repeat(LEVELS)}`)).resolves.toBe(TOO_DEEP)
  await expect(runProgram('const a: number = 1; return a')).resolves.toBe(1)
})

test('a chain of five thousand operators is no deep program', async () => {
  await expect(runProgram(`const a: number = 0${' + 1'.repeat(5_000)}\nreturn a`)).resolves.toBe(5_000)
})

const LINE = 70_000

test.each([
  ['data', `const a: number[] = [${'1, '.repeat(LINE)}]; x y; let b: T`, 3 * LINE + 27, "Expected ';', '}' or the end"],
  ['a string', `const a: string = "${'x'.repeat(LINE)}"; x y`, LINE + 25, "Expected ';', '}' or the end"],
  ['a template', `const a: string = \`${'x'.repeat(LINE)}\`; x y`, LINE + 25, "Expected ';', '}' or the end"],
  ['blanks', `${' '.repeat(LINE)}x y`, LINE + 3, "Unexpected identifier 'y'"],
])('an error after a long line of %s is told at its column', async (_what, program, column, text) => {
  const message = await messageOf(program)
  expect(message).toContain(`SyntaxError: ${text}\n    at <model>:1:${column}\n`)
  expect(message.length).toBeLessThan(600)
})

test.each([
  ['an enum', `const a: number[] = [${'1, '.repeat(LINE)}]; enum B { c = 2 } return B.c`, 2],
  ['a cast', `const a = [${'1,'.repeat(LINE)}]; return <any>a.length`, LINE],
])('%s after a long line is translated', async (_what, program, value) => {
  await expect(runProgram(program)).resolves.toBe(value)
})

test('a long pattern that is refused makes no long message', async () => {
  const message = await messageOf(`return /${'('.repeat(5_000)}/`)
  expect(message).toMatch(/^SyntaxError: Invalid regular expression: \/\(+…\n/)
  expect(message.length).toBeLessThan(1_000)
})

test('a program of more than sixteen million characters is refused when it has to be compiled', async () => {
  await expect(messageOf(`let a: number // ${'x'.repeat(16_000_000)}`)).resolves.toBe(
    'SyntaxError: The program is longer than 16000000 characters',
  )
})

test('a program of two million characters is compiled', async () => {
  await expect(runProgram(`let a: number = 0\n${'a += 1 as number\n'.repeat(120_000)}return a`)).resolves.toBe(120_000)
})
