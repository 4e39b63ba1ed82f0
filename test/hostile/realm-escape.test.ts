import { describe, expect, it } from 'vitest'
import { HOST_TRACES, TOOLS, useRuntime } from '../support/runtimes.js'

/** Collects what a program can get hold of, and says what of it belongs to another realm. */
const PROBE = `
const found = new Set()
const walk = (value, depth = 0) => {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || found.has(value) || depth > 6) return
  found.add(value)
  for (let at = value; at !== null; at = Object.getPrototypeOf(at)) {
    for (const key of Reflect.ownKeys(at)) {
      if (key === 'caller' || key === 'callee' || key === 'arguments') continue
      const { value: member, get, set } = { __proto__: null, ...Reflect.getOwnPropertyDescriptor(at, key) }
      for (const next of [member, get, set]) walk(next, depth + 1)
    }
    walk(at, depth + 1)
  }
}
const foreign = () => [...found].filter((value) => {
  let root = value
  for (let next = root; next !== null; next = Object.getPrototypeOf(next)) root = next
  const isForeign = root !== Object.prototype && Object.hasOwn(root, 'hasOwnProperty')
  // Arguments of a trap are an array of the agent's realm. What it leads to is frozen.
  return isForeign && !Object.isFrozen(value) && !(Array.isArray(value) && value.constructor !== value)
}).length
`

const overflow = (attempt: string): string => `${PROBE}
let tries = 0
const deep = () => { try { deep() } catch (error) { if (tries++ < 400) try { ${attempt} } catch (thrown) { walk(thrown) } throw error } }
try { deep() } catch (error) { walk(error) }
return foreign()`

const trapped = (use: string): string => `${PROBE}
const spy = (answer) => new Proxy(function () {}, { apply(target, self, args) { walk(args); walk(self); return answer(...args) }, get(target, key, receiver) { walk(receiver); return Reflect.get(target, key) } })
const object = (getter = () => 1) => Object.defineProperty({}, 'x', { enumerable: true, get: spy(getter) })
const handler = () => ({
  get: spy(Reflect.get), has: spy(Reflect.has), ownKeys: spy(Reflect.ownKeys), getPrototypeOf: spy(Reflect.getPrototypeOf),
  getOwnPropertyDescriptor: spy(Reflect.getOwnPropertyDescriptor), isExtensible: spy(Reflect.isExtensible),
})
${use}
return foreign()`

const SITES = `let sites = []
Error.prepareStackTrace = (error, list) => { sites.push(...list); return '' }
const look = () => { void new Error().stack; const error = {}; Error.captureStackTrace(error); void error.stack }
`
const readSites = `Error.prepareStackTrace = undefined; for (const site of sites) for (const method of Object.getOwnPropertyNames(Object.getPrototypeOf(site))) { try { walk(site[method]()) } catch (error) { walk(error) } } return foreign()`

describe('the realm of the agent', () => {
  const { run } = useRuntime({ warm: 0, limits: { maxWallMs: 15_000 } })

  it.each([
    ['members and what hangs on them', `${PROBE} walk(tools); walk(tools.echo); walk(ToolError); return foreign()`],
    ['promises of calls', `${PROBE} const call = tools.echo([{}]); walk(call); walk(await call); return foreign()`],
    [
      'rejections',
      `${PROBE} for (const call of [() => tools.fail(), () => tools.echo(1, 2), () => tools.echo(() => 1), () => tools.echo(NaN)]) await call().catch(walk); return foreign()`,
    ],
    ['values of replies', `${PROBE} walk(await tools.echo({ a: [{}, []], s: 'x' })); return foreign()`],
    ['console and streams', `${PROBE} walk(console); walk(process.stdout.write); return foreign()`],
    ['this, arguments and callers', `${PROBE} walk(this); walk(arguments); return foreign()`],
    [
      'callers of a getter',
      `${PROBE} const sloppy = (0, eval)('(function sloppy() { return sloppy.caller })'); await tools.echo({ get x() { walk(sloppy()); return 1 } }); const getter = (0, eval)('(function getter() { globalThis.seen = [getter.caller, arguments.callee.caller]; return 1 })'); await tools.echo(Object.defineProperty({}, 'x', { get: getter, enumerable: true })); walk(globalThis.seen); return foreign()`,
    ],
    ['a stack overflow in a call', overflow('tools.echo({})')],
    ['a stack overflow in an argument', overflow('tools.echo({ a: { b: [1, 2, 3] } }).catch(walk)')],
    ['a stack overflow at an undeclared member', overflow('tools.nope')],
    ['a stack overflow in a print', overflow(`console.log('x')`)],
    ['a stack overflow in a write', overflow(`process.stdout.write('x')`)],
    ['a stack overflow in a write of bytes', overflow(`process.stderr.write(Buffer.from('x'))`)],
    [
      'a stack overflow in a write to a descriptor',
      `const fs = process.getBuiltinModule('node:fs'); ${overflow(`fs.writeSync(1, 'x')`)}`,
    ],
    ['arguments of a getter that is a proxy', trapped('await tools.echo(object())')],
    [
      'arguments of traps',
      trapped('await tools.echo(new Proxy({ a: new Proxy([1], handler()) }, handler())).catch(walk)'),
    ],
    [
      'arguments of traps that are read twice',
      trapped(
        'for (const target of [{}, [], new Date(), class {}]) await tools.echo(new Proxy(target, handler())).catch(walk)',
      ),
    ],
    [
      'prototypes that are proxies',
      trapped(
        'await tools.echo(Object.create(new Proxy({}, handler()))).catch(walk); await tools.echo(Object.setPrototypeOf([1], new Proxy([], handler()))).catch(walk)',
      ),
    ],
    [
      'arguments of an executor',
      `${PROBE} const Native = Promise; globalThis.Promise = class extends Native { constructor(executor) { super((...args) => { walk(args); executor(...args) }) } }; Promise.prototype.then = function (...args) { walk(args); return Native.prototype.then.apply(this, args) }; Native.prototype.constructor = Promise; await tools.echo({}); return foreign()`,
    ],
    [
      'a thenable reply',
      `${PROBE} Object.prototype.then = function (...args) { delete Object.prototype.then; walk(args); args[0](1) }; walk(await tools.echo({})); return foreign()`,
    ],
    ['call sites of a getter', `${PROBE} ${SITES} await tools.echo({ get x() { look(); return 1 } }); ${readSites}`],
    ['call sites of a call', `${PROBE} ${SITES} await tools.fail().catch((error) => void error.stack); ${readSites}`],
    [
      'call sites of a print',
      `${PROBE} ${SITES} console.log({ [Symbol.for('nodejs.util.inspect.custom')](...args) { look(); walk(args); return 'x' } }); ${readSites}`,
    ],
    ['call sites of the program', `${PROBE} ${SITES} look(); await null; look(); ${readSites}`],
    [
      'what a setter on a shared prototype is given',
      `${PROBE} const seen = []; for (const key of ['value', 'text', 'type', 'id', 'stream', 'site', 'name', 'resolve', 'reject', 'promise', 'stack']) Object.defineProperty(Object.prototype, key, { __proto__: null, set(given) { walk(this); walk(given) }, get() { walk(this); return undefined }, configurable: true }); console.log('x'); await tools.echo({ a: 1 }); await tools.fail().catch(walk); return foreign()`,
    ],
    [
      'resources of async_hooks',
      `${PROBE} const { createHook, executionAsyncResource } = await import('node:async_hooks'); const hook = createHook({ init(id, type, trigger, resource) { walk(resource, 4) }, before() { walk(executionAsyncResource(), 4) } }).enable(); await tools.echo({}); await tools.fail().catch(() => {}); hook.disable(); return foreign()`,
    ],
    [
      'unhandled errors',
      `${PROBE} process.on('unhandledRejection', (...args) => args.forEach((arg) => walk(arg))); tools.echo(1, 2); tools.fail(); await new Promise((done) => setTimeout(done, 30)); return foreign()`,
    ],
    [
      'errors of a message that is no frame',
      `${PROBE} const { parentPort } = await import('node:worker_threads'); process.on('uncaughtException', (error) => walk(error)); for (const data of ['{', 'null', '{"type":"reply","id":0}', '{"type":"boot"}', '{"type":"boot","namespaces":[5],"maxLogBytes":5}', '5']) parentPort.dispatchEvent?.(new MessageEvent('message', { data })); await new Promise((done) => setTimeout(done, 30)); return foreign()`,
    ],
  ])('is not reached by %s', async (_title, program) => {
    const bindings = [
      { global: 'tools', functions: TOOLS, errorClass: { name: 'ToolError', memberNameProperty: 'tool' } },
    ]
    const { value, error } = await run(program, { bindings })
    expect([value, error]).toEqual([0, undefined])
  })

  it('is not reached while an error is described', async () => {
    for (const thrown of [
      `{ toString: spy(() => { console.log(foreign()); return 'x' }) }`,
      `Object.defineProperty(new Error(), 'message', { get: spy(() => { console.log(foreign()); return 'x' }) })`,
      `Object.defineProperty(new Error(), 'stack', { get: spy(() => { console.log(foreign()); return 'x' }) })`,
      `new Proxy(Object.assign(new Error('x'), { cause: 1 }), { ...handler(), getOwnPropertyDescriptor: spy((...args) => { console.log(foreign()); return Reflect.getOwnPropertyDescriptor(...args) }) })`,
    ]) {
      const { logs, error } = await run(trapped(`throw ${thrown};`))
      expect(error?.kind).toBe('exception')
      expect(error?.message).not.toMatch(HOST_TRACES)
      expect(new Set(logs)).toEqual(new Set(['0']))
    }
  })

  it('is not broken by what a program changed in it through an argument', async () => {
    const { value, logs } = await run(
      `let leaked
       await tools.echo(Object.defineProperty({}, 'x', { enumerable: true, get: new Proxy(() => 1, { apply(target, self, args) { leaked = args; return 1 } }) }))
       const prototype = Object.getPrototypeOf(leaked)
       for (const key of ['push', 'map', 'join', 'filter', 'slice', 'splice']) { try { prototype[key] = () => { throw new Error('broken') } } catch {} }
       console.log('still', 'here')
       return await tools.echo([1])`,
      { tools: TOOLS },
    )
    expect([value, logs]).toEqual([[1], ['still here']])
  })
})
