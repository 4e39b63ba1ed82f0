import { describe, expect, it } from 'vitest'
import { HOST_TRACES, TOOLS, useRuntime } from '../support/runtimes.js'

const ANSWER = { logs: ['said'], value: [{ x: [1] }, 'the host refused', 'tool'] }

/** What every program goes on to do after it broke something: it prints, calls, is refused, and returns. */
const THEN = `
console.log('said')
const echoed = await tools.echo({ x: [1] })
let refused
try { await tools.fail() } catch (error) { refused = error }
return [echoed, refused.message, refused.member === 'fail' ? 'tool' : refused.member]`

const throwing = (holder: string, except = ''): string =>
  `for (const key of Reflect.ownKeys(${holder})) { if (['constructor', 'length', 'prototype', 'name', ${except}].includes(key)) continue; try { Object.defineProperty(${holder}, key, { value: () => { throw new Error('rebound ' + String(key)) }, configurable: true, writable: true }) } catch {} }`

const BROKEN: readonly (readonly [title: string, program: string])[] = [
  ['JSON', `JSON.parse = JSON.stringify = () => { throw new Error('rebound') }; globalThis.JSON = undefined`],
  ['Promise itself', `globalThis.Promise = class { constructor() { throw new Error('rebound') } }`],
  [
    'the statics of Promise',
    `for (const key of ['resolve', 'reject', 'all', 'allSettled', 'race', 'any']) Promise[key] = () => { throw new Error('rebound') }`,
  ],
  [
    'the species of Promise',
    `Object.defineProperty(Promise, Symbol.species, { get() { throw new Error('rebound') } })`,
  ],
  ['Array.prototype', throwing('Array.prototype', `'includes'`)],
  [
    'the iterators',
    `const iterator = Object.getPrototypeOf([][Symbol.iterator]()); iterator.next = () => { throw new Error('rebound') }; const strings = Object.getPrototypeOf(''[Symbol.iterator]()); strings.next = () => { throw new Error('rebound') }`,
  ],
  [
    'Array',
    `Array.isArray = () => false; Array.from = () => { throw new Error('rebound') }; globalThis.Array = undefined`,
  ],
  [
    'the statics of Object',
    `for (const key of Object.getOwnPropertyNames(Object)) { if (typeof Object[key] === 'function' && key !== 'prototype') Object[key] = () => { throw new Error('rebound') } }`,
  ],
  [
    'Map and Set',
    `${throwing('Map.prototype')} ${throwing('Set.prototype')} ${throwing('WeakMap.prototype')} globalThis.Map = globalThis.Set = undefined`,
  ],
  ['String.prototype', throwing('String.prototype')],
  ['RegExp.prototype', throwing('RegExp.prototype')],
  [
    'Function.prototype',
    `for (const key of ['apply', 'call', 'bind', 'toString']) Function.prototype[key] = () => { throw new Error('rebound') }`,
  ],
  [
    'Reflect',
    `for (const key of Reflect.ownKeys(Reflect)) if (typeof key === 'string') Reflect[key] = () => { throw new Error('rebound') }; globalThis.Reflect = undefined`,
  ],
  ['Proxy', `globalThis.Proxy = function () { throw new Error('rebound') }`],
  [
    'Number, Math and BigInt',
    `Number.isInteger = Number.isFinite = Number.isSafeInteger = () => false; for (const key of Object.getOwnPropertyNames(Math)) if (typeof Math[key] === 'function') Math[key] = () => NaN; globalThis.BigInt = globalThis.Number = globalThis.Math = undefined`,
  ],
  ['Symbol', `globalThis.Symbol = undefined`],
  ['Error', `globalThis.Error = globalThis.TypeError = globalThis.RangeError = undefined`],
  ['Error.prepareStackTrace', `Error.prepareStackTrace = () => { throw 1 }`],
  ['Error.captureStackTrace', `Error.captureStackTrace = () => { throw 1 }`],
  ['Error.stackTraceLimit', `Error.stackTraceLimit = 0`],
  [
    'Error.prototype',
    `Object.defineProperty(Error.prototype, 'message', { get() { throw 1 }, set() { throw 1 } }); Object.defineProperty(Error.prototype, 'name', { get() { throw 1 } }); Error.prototype.toString = () => { throw 1 }`,
  ],
  [
    'typed arrays',
    `globalThis.Uint8Array = globalThis.Buffer = globalThis.TextDecoder = globalThis.TextEncoder = undefined`,
  ],
  ['Buffer', `Buffer.from = Buffer.alloc = Buffer.byteLength = () => { throw new Error('rebound') }`],
  [
    'console',
    `const { log } = console; for (const key of Object.keys(console)) if (key !== 'log') console[key] = () => { throw new Error('rebound') }`,
  ],
  ['the writes of the streams', `process.stdout.write = process.stderr.write = () => { throw new Error('rebound') }`],
  ['streams that are destroyed', `process.stdout.destroy(); process.stderr.end()`],
  ['process.nextTick', `process.nextTick = () => { throw new Error('rebound') }`],
  [
    'queueMicrotask and timers',
    `globalThis.queueMicrotask = globalThis.setTimeout = globalThis.setImmediate = globalThis.setInterval = () => { throw new Error('rebound') }`,
  ],
  ['process', `globalThis.process = undefined`],
  [
    'globalThis',
    `const scope = globalThis; for (const key of Reflect.ownKeys(scope)) { if (!['tools', 'console', 'ToolError', 'Reflect'].includes(key)) try { delete scope[key] } catch {} }`,
  ],
  [
    'a polluted prototype: toJSON',
    `Object.prototype.toJSON = Array.prototype.toJSON = String.prototype.toJSON = () => 'changed'`,
  ],
  [
    'a polluted prototype: fields of frames',
    `for (const key of ['type', 'value', 'error', 'id', 'ok', 'args', 'text', 'stream', 'open', 'truncated', 'kind', 'global', 'names', 'errorClass', 'namespaces', 'program', 'maxLogBytes', 'maxValueBytes']) Object.prototype[key] = 'polluted'`,
  ],
  [
    'a polluted prototype: fields of descriptors',
    `Object.prototype.get = () => 'polluted'; Object.prototype.set = () => {}`,
  ],
  [
    'a polluted prototype: flags of descriptors',
    `for (const key of ['writable', 'enumerable', 'configurable']) Object.prototype[key] = true`,
  ],
  [
    'a polluted prototype: options of Node',
    `for (const key of ['encoding', 'flag', 'signal', 'transfer', 'maxArrayLength', 'depth', 'colors', 'fatal', 'ignoreBOM', 'highWaterMark']) Object.prototype[key] = 'polluted'`,
  ],
  ['a polluted prototype: numbers', `for (let i = 0; i < 10; i++) Object.prototype[i] = 'polluted'`],
  ['listeners of process', `process.removeAllListeners()`],
  [
    'methods of process',
    `for (const key of ['on', 'emit', 'listenerCount', 'listeners', 'exit', 'hrtime', 'binding']) process[key] = () => { throw new Error('rebound') }`,
  ],
  [
    'EventEmitter.prototype',
    `const { EventEmitter } = await import('node:events'); for (const key of ['on', 'emit', 'listenerCount', 'removeListener']) EventEmitter.prototype[key] = () => { throw new Error('rebound') }`,
  ],
  [
    'parentPort',
    `const { parentPort } = await import('node:worker_threads'); parentPort.on?.('message', () => { throw 1 }); parentPort.off?.('message', () => {})`,
  ],
  [
    'MessagePort.prototype',
    `const { MessagePort } = await import('node:worker_threads'); ${throwing('MessagePort.prototype')}`,
  ],
  [
    'worker_threads',
    `const threads = (await import('node:worker_threads')).default; for (const key of Object.keys(threads)) try { threads[key] = undefined } catch {}`,
  ],
  [
    'util',
    `const util = (await import('node:util')).default; for (const key of Object.keys(util)) try { util[key] = () => { throw new Error('rebound') } } catch {}; (await import('node:module')).syncBuiltinESMExports()`,
  ],
  [
    'vm',
    `const vm = (await import('node:vm')).default; vm.Script.prototype.runInThisContext = () => { throw new Error('rebound') }; for (const key of Object.keys(vm)) try { vm[key] = undefined } catch {}`,
  ],
  [
    'fs',
    `const fs = (await import('node:fs')).default; for (const key of ['writeSync', 'write', 'readFileSync', 'readlinkSync', 'writeFileSync']) fs[key] = () => { throw new Error('rebound') }`,
  ],
  [
    'Atomics',
    `for (const key of ['load', 'store', 'add', 'wait', 'notify']) Atomics[key] = () => { throw new Error('rebound') }`,
  ],
  [
    'the agent’s names',
    `for (const key of ['bridge', 'agent', 'createAgent', 'post', 'port', 'control', 'output']) globalThis[key] = () => { throw new Error('rebound') }`,
  ],
]

// Broken in this order they leave the loop that breaks the next one working.
const ALL = BROKEN.map(([, program]) => `try { await (async () => { ${program} })() } catch {}`).join('\n')

describe('what a program rebinds does not reach the code that serves it', () => {
  const { run } = useRuntime({ warm: 0, limits: { maxWallMs: 10_000 } })
  const bindings = [
    { global: 'tools', functions: TOOLS, errorClass: { name: 'ToolError', memberNameProperty: 'member' } },
  ]

  it.each(BROKEN)('%s', async (_title, program) => {
    const { value, logs, error } = await run(`${program}\n${THEN}`, { bindings })
    expect({ value, logs, error }).toEqual({ ...ANSWER, error: undefined })
  })

  it.each(BROKEN)('%s, and an error is still described', async (_title, program) => {
    const { error } = await run(`const fails = () => { null.x }\n${program}\nfails()`, { bindings })
    expect(error?.kind).toBe('exception')
    expect(error?.message).toMatch(/reading 'x'|unrenderable/)
    expect(error?.message).not.toMatch(HOST_TRACES)
  })

  it.each(BROKEN)('%s, and a throw in a timer is still an exception', async (_title, program) => {
    const { error } = await run(
      `setTimeout(() => { throw 'in a timer' }, 20); const never = new Promise(() => {})\n${program}\nawait never`,
      { bindings },
    )
    expect(error).toMatchObject({ kind: 'exception', message: 'in a timer' })
  })

  it('setters for indices (which break the console of Node)', async () => {
    const { value } = await run(
      `for (let i = 0; i < 10; i++) Object.defineProperty(Array.prototype, i, { set() { throw 1 }, get() { return 'polluted' }, configurable: true })
       process.stdout.write('said'); return await tools.echo({ x: 1 })`,
      { bindings },
    )
    expect(value).toEqual({ x: 1 })
  })

  it.each([
    ['a return', `return 'end'`, { value: 'end' }],
    ['a call', `tools.echo(1); for (;;) {}`, { calls: [{ name: 'echo' }], error: { kind: 'timeout' } }],
    ['a throw', `throw 'end'`, { error: { kind: 'exception', message: 'end' } }],
    ['a print', `console.log('end'); return 1`, { logs: ['end'] }],
  ])('all of them at once, and then %s', async (_title, rest, expected) => {
    const program = `const { log } = console; ${ALL}; console.log = log; ${rest}`
    const limited = rest.includes('for (;;)') ? { signal: AbortSignal.timeout(60_000) } : {}
    expect(await run(program, { bindings, ...limited })).toMatchObject(expected)
  })
})

describe('globals with the names of built-ins', () => {
  const { run } = useRuntime({ warm: 0, limits: { maxWallMs: 10_000 } })

  it.each([
    'process',
    'Promise',
    'JSON',
    'Object',
    'Error',
    'Array',
    'Buffer',
    'Reflect',
    'setTimeout',
    'Uint8Array',
    'Symbol',
    'TypeError',
  ])('a namespace named %s works, and so does all the rest', async (global) => {
    const bindings = [{ global, functions: TOOLS }]
    expect(await run(`console.log('x', [1]); return await ${global}.echo({ a: 1 })`, { bindings })).toMatchObject({
      value: { a: 1 },
      logs: ['x [ 1 ]'],
    })
    expect((await run(`await ${global}.fail()`, { bindings })).error?.message).toContain('the host refused')
    expect((await run(`(async () => { null.x })(); await ${global}.hang()`, { bindings })).error?.message).toMatch(
      /reading 'x'/,
    )
  })
})
