import type { Requirement } from '../capabilities.js'
import type { ConformanceCase, Programs } from '../case.js'
import { ABSENT, hasShape } from '../check.js'
import { gives, returns, rows } from '../expectations.js'

const LIMITS = { maxWallMs: 20_000, maxLogBytes: 1_000_000 }
const NODE: readonly Requirement[] = ['platform', 'streams']

const onNode = (program: string): { programs: Programs; requires: readonly Requirement[] } => ({
  programs: { javascript: program },
  requires: NODE,
})

const PRINTED = rows<[program: string, logs: readonly string[]]>(
  [
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
  ],
  (program, logs) => ({ section: '3.7', ...onNode(program), limits: LIMITS, run: gives({ error: ABSENT, logs }) }),
  (title) => `the console prints ${title}`,
)

const BOUNDED = rows<[program: string, patterns: readonly RegExp[]]>(
  [
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
  ],
  (program, [cut = /./, whole = /./]) => ({
    section: '3.7',
    ...onNode(program),
    limits: LIMITS,
    run: async ({ run }) => {
      const text = (await run()).logs.join('\n')
      hasShape(text, cut)
      hasShape(text.split('\n').at(-1), whole)
      hasShape(text.match(/more (item|character)/g)?.length, 1)
    },
  }),
  (title) => `the console is bounded to ${title}`,
)

const NO_PROTOTYPE: ConformanceCase = {
  section: '3.7',
  title: 'the console has five methods at least, and no prototype',
  ...onNode(
    `return [Object.getPrototypeOf(console), ['log', 'info', 'warn', 'error', 'debug'].every((name) => typeof console[name] === 'function')]`,
  ),
  run: returns([null, true]),
}

const WRITES = rows<[program: string, value: string]>(
  [
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
  ],
  (program, value) => ({ section: '3.7', ...onNode(program), run: gives({ value, logs: ['x'] }) }),
  (title) => `a stream is a stream of Node: ${title}`,
)

const ENCODINGS = rows<[program: string]>(
  [
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
  ],
  (program) => ({
    section: '3.7',
    programs: { javascript: program },
    requires: [...NODE, 'bytes', 'stray-output'],
    run: gives({ logs: ['é'] }),
  }),
  (title) => `a write as ${title} is the same text`,
)

const RESTORED: ConformanceCase = {
  section: '3.7',
  title: 'what a program restores is what was there',
  ...onNode(
    `const { write } = process.stdout; const seen = []; process.stdout.write = (text) => { seen.push(text); return true }; process.stdout.write('caught'); process.stdout.write = write; process.stdout.write('x'); return seen`,
  ),
  run: gives({ logs: ['x'], value: ['caught'] }),
}

export const CONSOLE_CASES: readonly ConformanceCase[] = [
  ...PRINTED,
  ...BOUNDED,
  NO_PROTOTYPE,
  ...WRITES,
  ...ENCODINGS,
  RESTORED,
]
