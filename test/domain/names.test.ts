import { expect, test } from 'vitest'
import {
  checkErrorMember,
  checkGlobalName,
  isDunder,
  isPortableIdentifier,
  isReservedWord,
  RESERVED_ERROR_MEMBERS,
  RUNTIME_OWNED_NAMES,
} from '../../src/domain/names.js'

const words = (text: string): string[] => text.trim().split(/\s+/)

test.each([
  [
    'a keyword of ECMAScript',
    'await break case catch class const continue debugger default delete do else enum export',
  ],
  [
    'a keyword of ECMAScript',
    'extends false finally for function if import in instanceof new null return super switch',
  ],
  ['a keyword of ECMAScript', 'this throw true try typeof var void while with yield'],
  ['a word of strict mode', 'implements interface let package private protected public static eval arguments'],
  ['a keyword of Python', 'False None True and as assert async await break class continue def del elif else except'],
  ['a keyword of Python', 'finally for from global if import in is lambda nonlocal not or pass raise return try while'],
  ['a soft keyword of Python', 'match case type _'],
])('%s is a reserved word: %s', (_kind, names) => {
  expect(words(names).filter((name) => !isReservedWord(name))).toEqual([])
  expect(words(names).filter((name) => isPortableIdentifier(name))).toEqual([])
})

test.each(['tools', 'Match', 'types', 'selfish', '__', 'print'])('%s is no reserved word', (name) => {
  expect(isReservedWord(name)).toBe(false)
})

test.each(['a', 'Z', '_a', 'a_1', 'Tools2', '__'])('%s is an identifier in every language', (name) => {
  expect(isPortableIdentifier(name)).toBe(true)
})

test.each(['', '1bad', '$tools', 'a$b', 'not valid!', 'a-b', 'é', 'aé', 'a\n', ' a', 'a.b', '𝒜'])(
  '%j is an identifier in no language of ours',
  (name) => {
    expect(isPortableIdentifier(name)).toBe(false)
  },
)

test('the names that a backend owns are identifiers which no namespace can have', () => {
  expect([...RUNTIME_OWNED_NAMES]).toEqual(expect.arrayContaining(['console', '__builtins__', '__name__', '__debug__']))
  for (const name of RUNTIME_OWNED_NAMES) {
    expect(isPortableIdentifier(name)).toBe(true)
    expect(checkGlobalName(name)).toMatch(/reserved.*runtime-owned/)
  }
})

test.each(['__dict__', '__x__', '__init__', '_____', '__a b__', '__\n__'])('%j is a dunder', (name) => {
  expect(isDunder(name)).toBe(true)
})

test.each(['_private', 'name', '__mid', 'mid__', '__', '____', '_x_', ' __x__', '__x__ '])(
  '%j is no dunder',
  (name) => {
    expect(isDunder(name)).toBe(false)
  },
)

test.each([
  ['1bad', 'not a usable identifier'],
  ['class', 'not a usable identifier'],
  ['$tools', 'not a usable identifier'],
  [undefined, 'not a usable identifier'],
  [7, 'not a usable identifier'],
  [Symbol('tools'), 'not a usable identifier'],
  ['console', 'runtime-owned'],
  ['__debug__', 'runtime-owned'],
])('the global %s is refused: %s', (name, problem) => {
  expect(checkGlobalName(name)).toContain(problem)
})

test('`tools` is a free global', () => {
  expect(checkGlobalName('tools')).toBeUndefined()
})

test('the reserved error members are those that errors of either language own', () => {
  expect([...RESERVED_ERROR_MEMBERS].sort()).toEqual(['add_note', 'args', 'message', 'name', 'stack', 'with_traceback'])
})

test.each([...RESERVED_ERROR_MEMBERS, '__traceback__', '__dict__', '__class__'])(
  'the error member %s is reserved',
  (name) => {
    expect(checkErrorMember(name)).toMatch(/not usable.*reserved error member/)
  },
)

test.each(['', undefined, 7, null])('the error member %j is refused: it must be a non-empty string', (name) => {
  expect(checkErrorMember(name)).toMatch(/not usable.*non-empty/)
})

test.each(['toolName', 'code', 'tool-name', 'Name', '__', '____', '_name', 'cause', '$', 'é', '1'])(
  'the error member %j is free',
  (name) => {
    expect(checkErrorMember(name)).toBeUndefined()
  },
)
