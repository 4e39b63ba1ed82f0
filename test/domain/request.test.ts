import { expect, test } from 'vitest'
import { MisuseError } from '../../src/domain/errors.js'
import { type RunRequest, snapshotRequest } from '../../src/domain/request.js'
import { withGetters, withThrowingGetter } from '../support/getters.js'

const TOOLS = { global: 'tools', functions: {} }
const withErrorClass = (errorClass: unknown) => ({ program: '', bindings: [{ ...TOOLS, errorClass }] })
const withGlobals = (...globals: unknown[]) => ({
  program: '',
  bindings: globals.map((global) => ({ global, functions: {} })),
})
const snapshot = (request: unknown) => snapshotRequest(request as RunRequest)
const context = () => ({ signal: new AbortController().signal })

const misuse = (request: unknown): string => {
  try {
    snapshot(request)
  } catch (error) {
    expect(error).toBeInstanceOf(MisuseError)
    return (error as MisuseError).message
  }
  throw new Error('the request was accepted')
}

test('a request with a program only has no namespaces', () => {
  expect(snapshot({ program: 'return 1' })).toEqual({ program: 'return 1', namespaces: [] })
})

test('an absent field may be given as undefined', () => {
  const request = { program: '', bindings: undefined, signal: undefined, onEvent: undefined }
  expect(snapshot(request)).toEqual({ program: '', namespaces: [] })
  expect(snapshot(withErrorClass(undefined)).namespaces).toEqual([{ global: 'tools', functions: new Map() }])
})

test('signal and listener are passed on as they are', () => {
  const { signal } = new AbortController()
  const onEvent = () => {}
  const taken = snapshot({ program: '', signal, onEvent })
  expect(taken.signal).toBe(signal)
  expect(taken.onEvent).toBe(onEvent)
})

test.each([
  ['the request', undefined, 'undefined'],
  ['the request', null, 'null'],
  ['the request', 'return 1', '"return 1"'],
  ['`program`', {}, 'undefined'],
  ['`program`', { program: 7 }, '7'],
  ['`bindings`', { program: '', bindings: null }, 'null'],
  ['`bindings`', { program: '', bindings: { tools: {} } }, 'an object'],
  ['`bindings[0]`', { program: '', bindings: ['tools'] }, '"tools"'],
  ['`bindings[1]`', { program: '', bindings: [TOOLS, null] }, 'null'],
  ['`bindings[0].functions`', { program: '', bindings: [{ global: 'tools' }] }, 'undefined'],
  ['`bindings[0].functions`', { program: '', bindings: [{ global: 'tools', functions: () => {} }] }, 'a function'],
  ['`bindings[0].errorClass`', withErrorClass('ToolError'), '"ToolError"'],
  ['`bindings[0].errorClass`', withErrorClass(null), 'null'],
  ['`signal`', { program: '', signal: {} }, 'an object'],
  ['`signal`', { program: '', signal: { aborted: false } }, 'an object'],
  ['`signal`', { program: '', signal: new EventTarget() }, 'an object'],
  ['`signal`', { program: '', signal: null }, 'null'],
  ['`signal`', { program: '', signal: new AbortController() }, 'an object'],
  ['`onEvent`', { program: '', onEvent: {} }, 'an object'],
])('%s that is %o is misuse: got %s', (place, request, shown) => {
  expect(misuse(request)).toMatch(
    new RegExp(`^Expected ${place.replaceAll(/[[\].]/g, '\\$&')} to be an? .*got ${shown}$`),
  )
})

test.each(['not valid!', 'await', '$tools', 'a$b', 'lambda', '1bad', 'class', 'typeof', '', 'match', '_'])(
  'the global %j is not a usable identifier',
  (global) => {
    expect(misuse(withGlobals(global))).toMatch(/`bindings\[0\]\.global` ".*not a usable identifier/)
    expect(misuse(withErrorClass({ name: global, memberNameProperty: 'toolName' }))).toMatch(
      /`bindings\[0\]\.errorClass\.name` ".*not a usable identifier/,
    )
  },
)

test.each(['console', '__debug__', '__builtins__', '__name__'])(
  'the global %s is reserved, runtime-owned',
  (global) => {
    expect(misuse(withGlobals('tools', global))).toMatch(/`bindings\[1\]\.global`.*reserved.*runtime-owned/)
    expect(misuse(withErrorClass({ name: global, memberNameProperty: 'toolName' }))).toMatch(/reserved.*runtime-owned/)
  },
)

test('a global that is no string is not a usable identifier', () => {
  expect(misuse(withGlobals(7))).toContain('not a usable identifier')
  expect(misuse(withGlobals(undefined))).toContain('not a usable identifier')
})

const errorClass = (name: string) => ({ name, memberNameProperty: 'toolName' })

test.each([
  ['two globals', [{ global: 'a' }, { global: 'a' }], 'a'],
  ['an error class and its own global', [{ global: 'a', errorClass: errorClass('a') }], 'a'],
  ['an error class and a later global', [{ global: 'a', errorClass: errorClass('b') }, { global: 'b' }], 'b'],
  [
    'two error classes',
    [
      { global: 'a', errorClass: errorClass('E') },
      { global: 'b', errorClass: errorClass('E') },
    ],
    'E',
  ],
])('%s of one name are a duplicate', (_what, namespaces, name) => {
  const message = misuse({ program: '', bindings: namespaces.map((namespace) => ({ functions: {}, ...namespace })) })
  expect(message).toContain(`\`${name}\``)
  expect(message).toContain('duplicate')
  expect(message).toContain('collides with another injected global')
})

test('names that differ in case are no duplicates', () => {
  expect(snapshot(withGlobals('tools', 'Tools')).namespaces).toHaveLength(2)
})

test.each([
  ['', 'non-empty'],
  [undefined, 'non-empty'],
  ['message', 'reserved error member'],
  ['args', 'reserved error member'],
  ['name', 'reserved error member'],
  ['stack', 'reserved error member'],
  ['__traceback__', 'reserved error member'],
  ['__dict__', 'reserved error member'],
  ['__class__', 'reserved error member'],
])('the member property %j is not usable: %s', (memberNameProperty, problem) => {
  const message = misuse(withErrorClass({ name: 'ToolError', memberNameProperty }))
  expect(message).toMatch(/`bindings\[0\]\.errorClass\.memberNameProperty`.*not usable/)
  expect(message).toContain(problem)
})

test('a member property need not be an identifier', () => {
  const declared = { name: 'ToolError', memberNameProperty: 'tool-name' }
  expect(snapshot(withErrorClass(declared)).namespaces[0]?.errorClass).toEqual(declared)
})

test('own enumerable members that are functions are taken, in order; others are left out', () => {
  const functions = Object.create(
    { inherited: () => {} },
    {
      ['my-tool']: { enumerable: true, value: () => 1 },
      hidden: { enumerable: false, value: () => 2 },
      text: { enumerable: true, value: 'no function' },
      [Symbol('member')]: { enumerable: true, value: () => 3 },
      ['__proto__']: { enumerable: true, value: async () => 4 },
      constructor: { enumerable: true, value: class {} },
    },
  )
  const [namespace] = snapshot({ program: '', bindings: [{ global: 'tools', functions }] }).namespaces
  expect([...namespace!.functions.keys()]).toEqual(['my-tool', '__proto__', 'constructor'])
})

test('a member is called on the object that it was read from, with argument and context', () => {
  const functions = {
    calls: [] as unknown[],
    note(this: { calls: unknown[] }, args: unknown, { signal }: { signal: AbortSignal }) {
      this.calls.push(args, signal)
      return 'noted'
    },
  }
  const [namespace] = snapshot({ program: '', bindings: [{ global: 'tools', functions }] }).namespaces
  const given = context()
  expect(namespace!.functions.get('note')!(7, given)).toBe('noted')
  expect(functions.calls).toEqual([7, given.signal])
})

test('what the caller changes later changes nothing', () => {
  const functions: Record<string, () => string> = { tool: () => 'old' }
  const bindings = [{ global: 'tools', functions }]
  const request = { program: 'old', bindings }
  const taken = snapshot(request)
  request.program = 'new'
  functions['tool'] = () => 'new'
  functions['other'] = () => 'new'
  bindings.push({ global: 'more', functions })
  expect(taken.program).toBe('old')
  expect(taken.namespaces.map(({ global }) => global)).toEqual(['tools'])
  expect([...taken.namespaces[0]!.functions.keys()]).toEqual(['tool'])
  expect(taken.namespaces[0]!.functions.get('tool')!(null, context())).toBe('old')
})

test('every field and every member is read exactly once', () => {
  const functions = withGetters({ first: () => 1, second: () => 2, third: 'no function' })
  const declared = withGetters({ name: 'ToolError', memberNameProperty: 'toolName' })
  const namespace = withGetters({ global: 'tools', functions: functions.object, errorClass: declared.object })
  const bindings = withGetters({ 0: namespace.object })
  const list = Object.defineProperty([], 0, Object.getOwnPropertyDescriptor(bindings.object, 0)!)
  const request = withGetters({ program: '', bindings: list, signal: undefined, onEvent: undefined })
  snapshot(request.object)
  expect(request.reads.toSorted()).toEqual(['bindings', 'onEvent', 'program', 'signal'])
  expect(bindings.reads).toEqual(['0'])
  expect(namespace.reads.toSorted()).toEqual(['errorClass', 'functions', 'global'])
  expect(declared.reads.toSorted()).toEqual(['memberNameProperty', 'name'])
  expect(functions.reads).toEqual(['first', 'second', 'third'])
})

test.each<[string, (hostile: (name: string) => object) => unknown]>([
  ['program', (hostile) => hostile('program')],
  ['bindings', (hostile) => Object.assign(hostile('bindings'), { program: '' })],
  ['a global', (hostile) => ({ program: '', bindings: [hostile('global')] })],
  ['an error class', (hostile) => ({ program: '', bindings: [Object.assign(hostile('errorClass'), TOOLS)] })],
  ["an error class's name", (hostile) => withErrorClass(hostile('name'))],
  ['a member', (hostile) => ({ program: '', bindings: [{ global: 'tools', functions: hostile('tool') }] })],
])('what the getter of %s throws is what the snapshot throws', (_field, request) => {
  const thrown = new TypeError('from the getter')
  expect(() => snapshot(request((name) => withThrowingGetter(name, thrown)))).toThrow(thrown)
})
