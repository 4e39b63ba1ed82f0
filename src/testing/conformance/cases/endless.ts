import { ok } from 'node:assert'
import { COMPUTE_LIMIT, type Requirement } from '../capabilities.js'
import type { ConformanceCase, Programs } from '../case.js'
import { hasShape } from '../check.js'
import { computing } from '../computing.js'
import { rows, TOLERANCE_MS } from '../expectations.js'

const COMPUTE_MS = 300

const ENDLESS = rows<[programs: Programs, ...requires: Requirement[]]>(
  [
    ['a loop', { javascript: 'for (;;) {}', python: 'while True: pass' }],
    ['a loop in a then', { javascript: 'Promise.resolve().then(() => { for (;;) {} }); await new Promise(() => {})' }],
    [
      'an endless chain of microtasks',
      {
        javascript: 'const again = () => { Promise.resolve().then(again) }; again(); await new Promise(() => {})',
      },
    ],
    [
      'an endless chain of queued microtasks',
      { javascript: 'const again = () => { queueMicrotask(again) }; again(); await new Promise(() => {})' },
      'platform',
    ],
    [
      'an endless chain of ticks',
      { javascript: 'const again = () => { process.nextTick(again) }; again(); await new Promise(() => {})' },
      'platform',
    ],
    [
      'an endless chain of immediates',
      { javascript: 'const again = () => { setImmediate(again) }; again(); await new Promise(() => {})' },
      'platform',
    ],
    [
      'a loop after one awaited call',
      { javascript: 'await tools.one(); for (;;) {}', python: 'await tools.one()\nwhile True: pass' },
    ],
    [
      'a loop in a then after one awaited call',
      { javascript: 'await tools.one(); Promise.resolve().then(() => { for (;;) {} }); await new Promise(() => {})' },
    ],
    [
      'a loop that catches everything',
      {
        javascript: 'for (;;) { try { for (;;) {} } catch {} finally { continue } }',
        python: 'while True:\n  try:\n    while True: pass\n  except BaseException: pass',
      },
    ],
    ['a loop in a getter of the completion', { javascript: 'return { get x() { for (;;) {} } }' }],
    [
      'a loop in the message of an error',
      { javascript: `throw Object.defineProperty(new Error(), 'message', { get() { for (;;) {} } })` },
    ],
    ['a loop in a class name', { javascript: `throw { get constructor() { for (;;) {} } , toString() { throw 1 } }` }],
    [
      'a loop in toString',
      {
        javascript: 'throw { toString() { for (;;) {} } }',
        python: 'class E(Exception):\n  def __str__(self):\n    while True: pass\nraise E()',
      },
    ],
    [
      'a loop in prepareStackTrace',
      { javascript: 'Error.prepareStackTrace = () => { for (;;) {} }; throw new Error("x")' },
      'platform',
    ],
    ['a loop in a trap of a proxy', { javascript: 'return new Proxy({}, { ownKeys() { for (;;) {} } })' }],
    [
      'a loop in an exit listener',
      { javascript: `process.on('exit', () => { for (;;) {} }); process.exit(0)` },
      'exit',
    ],
    [
      'a loop in an uncaughtException listener',
      {
        javascript: `process.on('uncaughtException', () => { for (;;) {} }); setTimeout(() => { throw 1 }); await new Promise(() => {})`,
      },
      'platform',
    ],
    [
      'a catastrophic expression',
      {
        javascript: `return /^(a+)+$/.test('a'.repeat(40) + 'b')`,
        python: `import re\nreturn bool(re.match('^(a+)+$', 'a' * 40 + 'b'))`,
      },
    ],
    ['a huge power', { python: 'return len(str(10 ** 10 ** 8))' }],
    [
      'an endless generator',
      {
        javascript: 'return [...(function* () { for (;;) yield* [] })()]',
        python: 'return list(x for x in iter(int, 1) if x)',
      },
    ],
    [
      'a sort that never ends',
      {
        javascript: 'return [3, 2, 1].sort(() => { for (;;) {} })',
        python: 'return sorted([3, 2, 1], key=lambda x: [None for _ in iter(int, 1)])',
      },
    ],
    ['code of eval', { javascript: `(0, eval)('for (;;) {}')`, python: `exec('while True: pass')` }],
    [
      'a loop in another context',
      { javascript: `const vm = await import('node:vm'); vm.runInNewContext('for (;;) {}')` },
      'platform',
    ],
    [
      'a loop that ignores the signals of the system',
      {
        python: `import signal\nfor s in (signal.SIGTERM, signal.SIGXCPU, signal.SIGINT): signal.signal(s, signal.SIG_IGN)\nwhile True: pass`,
      },
      'subprocesses',
    ],
  ],
  (programs, ...requires) => ({
    section: '8.1',
    programs,
    requires: [COMPUTE_LIMIT, ...requires],
    limits: computing(COMPUTE_MS, { maxWallMs: 30_000 }),
    reports: ['laverdet/isolated-vm#185', 'patriksimek/vm2#116', 'huggingface/smolagents#2473', '(signals)'],
    run: async ({ run }) => {
      const { error, usage } = await run()
      hasShape(error, { kind: 'timeout', message: /computeMs|cpuSeconds/ })
      ok(usage.wallMs < COMPUTE_MS + 1_000 + TOLERANCE_MS, `it took ${usage.wallMs} ms`)
    },
  }),
  (title) => `computing without end is ended by the compute budget: ${title}`,
)

const AFTER_THE_RETURN: ConformanceCase = {
  section: '8.1',
  title: 'a loop that begins as the program returns does not outlive the compute budget',
  programs: {
    javascript:
      'let go; new Promise((resolve) => { go = resolve }).then(() => { for (;;) {} }); go(); await null; return 1',
  },
  requires: [COMPUTE_LIMIT],
  limits: computing(COMPUTE_MS, { maxWallMs: 30_000 }),
  run: async ({ run }) => {
    const { error, usage } = await run()
    // The completion may come before the loop begins.
    if (error !== undefined) hasShape(error, { kind: 'timeout', message: /computeMs|cpuSeconds/ })
    ok(usage.wallMs < COMPUTE_MS + 1_000 + TOLERANCE_MS, `it took ${usage.wallMs} ms`)
  },
}

export const ENDLESS_CASES: readonly ConformanceCase[] = [...ENDLESS, AFTER_THE_RETURN]
