import { describe, expect, it } from 'vitest'
import { useRuntime } from '../support/runtimes.js'

describe('the console of a program', () => {
  const { run } = useRuntime({ limits: { maxWallMs: 20_000, maxLogBytes: 1_000_000 } })

  it.each([
    [
      'the five methods, in order',
      `for (const name of ['log', 'info', 'debug']) console[name](name); for (const name of ['warn', 'error']) console[name](name)`,
      ['log', 'info', 'debug', 'warn', 'error'],
    ],
    [
      'values as Node renders them',
      `console.log('a', 1, true, null, undefined, 5n, Symbol('s'))`,
      ['a 1 true null undefined 5n Symbol(s)'],
    ],
    [
      'objects',
      `console.log({ a: [1, { b: 'x' }], m: new Map([[1, 2]]), s: new Set([1]), d: new Date(0) })`,
      [
        `{`,
        `  a: [ 1, { b: 'x' } ],`,
        `  m: Map(1) { 1 => 2 },`,
        `  s: Set(1) { 1 },`,
        `  d: 1970-01-01T00:00:00.000Z`,
        `}`,
      ],
    ],
    ['formats', `console.log('%s is %d and %j', 'x', 5, { a: 1 }, 'more')`, [`x is 5 and {"a":1} more`]],
    ['groups', `console.group('g'); console.log('in'); console.groupEnd(); console.log('out')`, ['g', '  in', 'out']],
    ['no colours', `console.log([1, 'a'], true)`, [`[ 1, 'a' ] true`]],
    [
      'depth 4',
      `console.log({ a: { b: { c: { d: { e: { f: 1 } } } } } })`,
      ['{', '  a: {', '    b: { c: { d: { e: [Object] } } }', '  }', '}'],
    ],
    [
      'a class and a null prototype',
      `class P { x = 1 } console.log(new P(), Object.create(null))`,
      ['P { x: 1 } [Object: null prototype] {}'],
    ],
    ['promises of calls', `console.log(Promise.resolve(1))`, ['Promise { 1 }']],
    ['nothing', `console.log()`, ['']],
    ['methods taken out of it', `const { log, error } = console; log('a'); error('b')`, ['a', 'b']],
  ])('prints %s', async (_title, program, logs) => {
    const result = await run(program)
    expect(result.error).toBeUndefined()
    expect(result.logs).toEqual(logs)
  })

  it.each([
    [
      '100 items',
      `console.log(Array(101).fill(0)); console.log(Array(100).fill(0))`,
      [/1 more item/, /^(?!.*more item)/],
    ],
    [
      '10,000 characters of a text in an object',
      `console.log(['x'.repeat(10001)]); console.log(['x'.repeat(10000)])`,
      [/1 more character/, /^(?!.*more char)/],
    ],
  ])('is bounded to %s', async (_title, program, patterns) => {
    const text = (await run(program)).logs.join('\n')
    expect(text).toMatch(patterns[0] as RegExp)
    expect(text.match(/more (item|character)/g)).toHaveLength(1)
  })

  it('has no prototype', async () => {
    expect(
      (
        await run(
          `return [Object.getPrototypeOf(console), ['log', 'info', 'warn', 'error', 'debug'].every((name) => typeof console[name] === 'function')]`,
        )
      ).value,
    ).toEqual([null, true])
  })

  it.each([
    [
      'the callback of a write',
      `return await new Promise((done) => process.stdout.write('x', () => done('called')))`,
      'called',
    ],
    [
      'the callback of a write with an encoding',
      `return await new Promise((done) => process.stderr.write('78', 'hex', () => done('called')))`,
      'called',
    ],
    [
      'the callback of end',
      `return await new Promise((done) => process.stdout.end('x', () => done('called')))`,
      'called',
    ],
    [
      'a pipe into stdout',
      `const { Readable } = await import('node:stream'); return await new Promise((done) => Readable.from(['x']).on('end', () => done('called')).pipe(process.stdout))`,
      'called',
    ],
    ['a write returns true', `return process.stdout.write('x') ? 'called' : 'full'`, 'called'],
    [
      'corked writes',
      `process.stdout.cork(); process.stdout.write('x'); process.stdout.uncork(); return 'called'`,
      'called',
    ],
  ])('%s fires', async (_title, program, value) => {
    expect(await run(program)).toMatchObject({ value, logs: ['x'] })
  })

  it.each([
    ['hex', `process.stdout.write('c3a9', 'hex')`],
    ['base64', `process.stdout.write('w6k=', 'base64')`],
    ['latin1', `process.stdout.write('\\u00c3\\u00a9', 'latin1')`],
    ['a Buffer', `process.stdout.write(Buffer.from('é'))`],
    ['a Uint8Array', `process.stdout.write(new Uint8Array([0xc3, 0xa9]))`],
    ['two writes of one byte', `process.stdout.write(Buffer.from([0xc3])); process.stdout.write(Buffer.from([0xa9]))`],
    ['the descriptor', `(await import('node:fs')).writeSync(1, 'é')`],
    ['a part of a buffer', `(await import('node:fs')).writeSync(1, Buffer.from('xéx'), 1, 2)`],
    [
      'the descriptor, by promise',
      `await (await import('node:util')).promisify((await import('node:fs')).write)(1, 'é')`,
    ],
    ['a vector', `(await import('node:fs')).writevSync(1, [Buffer.from([0xc3]), Buffer.from([0xa9])])`],
    [
      'a console of its own',
      `const { Console } = await import('node:console'); new Console(process.stdout, process.stderr).log('é')`,
    ],
    ['the console of node:console', `(await import('node:console')).default.log('é')`],
  ])('a write as %s is the same text', async (_title, program) => {
    expect((await run(program)).logs).toEqual(['é'])
  })

  it('what a program restores is what was there', async () => {
    const { logs, value } = await run(
      `const { write } = process.stdout; const seen = []; process.stdout.write = (text) => { seen.push(text); return true }; process.stdout.write('caught'); process.stdout.write = write; process.stdout.write('x'); return seen`,
    )
    expect([logs, value]).toEqual([['x'], ['caught']])
  })
})
