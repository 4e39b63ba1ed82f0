import type { Requirement } from '../capabilities.js'
import type { ConformanceCase } from '../case.js'
import { ABSENT, hasShape } from '../check.js'
import { failsAs, gives, rows } from '../expectations.js'
import { HOST_TRACES, TOOLS } from '../tools.js'

const NODE: readonly Requirement[] = ['platform', 'timers']
const LIMITS = { maxWallMs: 10_000 }

const UNCAUGHT = rows<[program: string]>(
  [
    ['a throw in a timer', `setTimeout(() => { throw new Error('odd one') }, 1); await new Promise(() => {})`],
    ['a throw in an immediate', `setImmediate(() => { throw new Error('odd one') }); await new Promise(() => {})`],
    ['a throw in a tick', `process.nextTick(() => { throw new Error('odd one') }); await new Promise(() => {})`],
    ['a throw in a microtask', `queueMicrotask(() => { throw new Error('odd one') }); await new Promise(() => {})`],
    [
      'a throw in a listener',
      `const { EventEmitter } = await import('node:events'); const e = new EventEmitter(); setTimeout(() => e.emit('error', new Error('odd one')), 1); await new Promise(() => {})`,
    ],
    [
      'a floating rejection',
      `void Promise.reject(new Error('odd one')); await new Promise((done) => setTimeout(done, 200)); return 1`,
    ],
    [
      'a floating rejection in a timer',
      `setTimeout(() => { Promise.reject(new Error('odd one')) }, 5); await new Promise((done) => setTimeout(done, 200)); return 1`,
    ],
    [
      'a floating async function',
      `(async () => { await null; throw new Error('odd one') })(); await new Promise((done) => setTimeout(done, 200)); return 1`,
    ],
    ['a floating call', `tools.odd(); await new Promise((done) => setTimeout(done, 200)); return 1`],
    [
      'a worker of its own that fails',
      `const { Worker } = await import('node:worker_threads'); new Worker('throw new Error("odd one")', { eval: true }); await new Promise(() => {})`,
    ],
  ],
  (program) => ({
    section: '3.8',
    programs: { javascript: program },
    requires: NODE,
    limits: LIMITS,
    reports: ['laverdet/isolated-vm#451'],
    run: gives(
      { error: { kind: 'exception', message: (text: string) => text.includes('odd one') && !HOST_TRACES.test(text) } },
      { tools: { ...TOOLS, odd: () => Promise.reject(new Error('odd one')) } },
    ),
  }),
  (title) => `${title} is an exception with its own text`,
)

const AFTER_THE_RETURN = rows<[program: string]>(
  [
    ['a floating rejection before the return', `void Promise.reject(new Error('x')); return 1`],
    ['a floating rejection in a timer', `setTimeout(() => { Promise.reject(new Error('x')) }, 10); return 1`],
    ['a throw in a timer', `setTimeout(() => { throw new Error('x') }, 0); return 1`],
    ['a floating call', `tools.fail(); return 1`],
    [
      'a rejection that is handled in time',
      `const p = Promise.reject(new Error('x')); await null; p.catch(() => {}); return 1`,
    ],
    ['an exit after the return', `setTimeout(() => process.exit(3), 0); return 1`],
  ],
  (program) => ({
    section: '3.8',
    programs: { javascript: program },
    requires: NODE,
    limits: LIMITS,
    run: async ({ run }) => {
      const { value, error } = await run()
      // What comes in the very turn of the return may come first, as a documented exception; never anything else.
      if (error === undefined) hasShape(value, 1)
      else hasShape(error.kind, 'exception')
    },
  }),
  (title) => `${title} does not take the completion back`,
)

const LISTENED = rows<[listen: string, cause: string]>(
  [
    [
      'of a rejection',
      `process.on('unhandledRejection', () => console.log('heard'))`,
      `Promise.reject(new Error('x'))`,
    ],
    [
      'of a throw',
      `process.on('uncaughtException', () => console.log('heard'))`,
      `setTimeout(() => { throw new Error('x') })`,
    ],
  ],
  (listen, cause) => ({
    section: '3.8',
    programs: { javascript: `${listen}; ${cause}; await new Promise((done) => setTimeout(done, 50)); return 1` },
    requires: NODE,
    limits: LIMITS,
    run: gives({ value: 1, logs: ['heard'] }),
  }),
  (title) => `a program may listen for itself: ${title}`,
)

const IN_A_LISTENER: ConformanceCase = {
  section: '3.8',
  title: 'an error in a listener of the program is an exception',
  programs: {
    javascript: `process.on('unhandledRejection', () => { throw new Error('in the listener') }); Promise.reject(1); await new Promise(() => {})`,
  },
  requires: NODE,
  limits: LIMITS,
  run: failsAs('exception', /in the listener/),
}

const CLEAN_AFTERWARDS: ConformanceCase = {
  section: '3.8',
  title: 'late trouble after ten returns leaves the next run clean',
  programs: {
    javascript: `setTimeout(() => { throw 1 }); setImmediate(() => Promise.reject(2)); tools.fail(); tools.hang(); return 3`,
  },
  requires: NODE,
  limits: LIMITS,
  run: async ({ run }) => {
    for (let i = 0; i < 10; i += 1) {
      await run()
      hasShape(await run({ program: 'return 1' }), { value: 1, error: ABSENT })
    }
  },
}

export const UNCAUGHT_CASES: readonly ConformanceCase[] = [
  ...UNCAUGHT,
  ...AFTER_THE_RETURN,
  ...LISTENED,
  IN_A_LISTENER,
  CLEAN_AFTERWARDS,
]
