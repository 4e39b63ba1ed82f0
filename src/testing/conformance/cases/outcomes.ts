import { deepStrictEqual, ok, rejects } from 'node:assert'
import { MisuseError } from '../../../domain/errors.js'
import type { FailureKind } from '../../../domain/outcome.js'
import type { BindingFunction, RunRequest } from '../../../domain/request.js'
import type { Requirement } from '../capabilities.js'
import type { ConformanceCase, Programs } from '../case.js'
import { ABSENT, hasShape } from '../check.js'
import { failsAs, gives, rows } from '../expectations.js'
import { TOOLS, withGetters, withThrowingGetter } from '../tools.js'

const SHORT = { maxWallMs: 1_500, maxValueBytes: 4_096 }
const RETURN_1: Programs = { javascript: 'return 1', python: 'return 1' }
const EMPTY: Programs = { javascript: '', python: '' }

const KINDS = rows<[kind: FailureKind, message: RegExp, programs: Programs, ...requires: Requirement[]]>(
  [
    [
      'a throw is an exception',
      'exception',
      /very odd/,
      { javascript: `throw new Error('very odd')`, python: `raise ValueError('very odd')` },
    ],
    [
      'a budget is a timeout that names it',
      'timeout',
      /maxWallMs/,
      { javascript: 'for (;;) {}', python: 'while True: pass' },
    ],
    [
      'an exit is a worker-exit with its code',
      'worker-exit',
      /code 7 before completing/,
      { javascript: 'process.exit(7)', python: 'import os; os._exit(7)' },
      'exit',
    ],
    [
      'a completion that is not JSON is invalid-output',
      'invalid-output',
      /lossless JSON/,
      { javascript: 'return new Map()', python: 'return {1, 2}' },
    ],
    [
      'a completion over the budget is output-limit',
      'output-limit',
      /4096/,
      { javascript: `return 'x'.repeat(5000)`, python: `return 'x' * 5000` },
    ],
  ],
  (kind, message, programs, ...requires) => ({
    section: '2.5',
    programs,
    requires,
    limits: SHORT,
    run: gives({ value: ABSENT, error: { kind, message }, logs: [], calls: [], usage: { bindingCalls: 0 } }),
  }),
)

const OUTCOMES: readonly ConformanceCase[] = [
  {
    section: '2.1',
    title: 'a success has a value and no error',
    programs: { javascript: 'return null', python: 'return None' },
    run: gives({ value: null, logs: [], error: ABSENT }),
  },
  {
    section: '2.5',
    title: 'an abort is an abort with the reason',
    programs: RETURN_1,
    run: failsAs('abort', /^the user left$/, { signal: AbortSignal.abort('the user left') }),
  },
  {
    section: '2.2',
    title: 'no state crosses from one run to the next',
    programs: {
      javascript: `const before = globalThis.left ?? null; globalThis.left = 1; Array.prototype.left = 1; return before`,
      python: `import builtins\nbefore = getattr(builtins, 'left', None)\nbuiltins.left = 1\nreturn before`,
    },
    run: async ({ run }) => hasShape([await run(), await run()], [{ value: null }, { value: null }]),
  },
  {
    section: '2.2',
    title: 'twenty runs at once do not mix',
    programs: {
      javascript: `console.log('run', await tools.me()); return await tools.me()`,
      python: `print('run', await tools.me())\nreturn await tools.me()`,
    },
    limits: { maxWallMs: 25_000 },
    run: async ({ run }) => {
      const all = Array.from({ length: 20 }, (_, me) => me)
      const results = await Promise.all(all.map((me) => run({ tools: { me: () => me } })))
      hasShape(
        results,
        all.map((me) => ({ value: me, logs: [`run ${me}`] })),
      )
    },
  },
]

const errorClass = (name: string, memberNameProperty: unknown = 'tool') => [
  { global: 'tools', functions: TOOLS, errorClass: { name, memberNameProperty } },
]

const WRONG_WORDS = [
  'not valid!',
  '',
  '1bad',
  'await',
  'a$b',
  '$tools',
  'lambda',
  'nonlocal',
  'eval',
  'arguments',
  'match',
  '_',
]
const OWNED_NAMES = ['console', '__builtins__', '__name__', '__debug__']
const WRONG_MEMBERS = ['', 'name', 'message', 'stack', 'args', 'with_traceback', 'add_note', '__dict__', '__x__', 5]
const USABLE_MEMBERS = ['_private', '__mid', '__', '____', 'code', 'tool-name', 'constructor', 'cause', 'toString']

const MISUSE = rows<[bindings: unknown, message: RegExp]>(
  [
    ...WRONG_WORDS.map(
      (global) =>
        [
          `a namespace named ${JSON.stringify(global)} is a MisuseError`,
          [{ global, functions: TOOLS }],
          /not a usable identifier/,
        ] as const,
    ),
    ...OWNED_NAMES.map(
      (global) => [`a namespace named ${global} is a MisuseError`, [{ global, functions: TOOLS }], /reserved/] as const,
    ),
    ...WRONG_MEMBERS.map(
      (member) =>
        [
          `an error member ${JSON.stringify(member)} is a MisuseError`,
          errorClass('ToolError', member),
          /not usable/,
        ] as const,
    ),
    [
      'two namespaces of one name are a MisuseError',
      [
        { global: 'a', functions: TOOLS },
        { global: 'a', functions: TOOLS },
      ],
      /duplicate/,
    ],
    ['an error class named as its namespace is a MisuseError', errorClass('tools'), /duplicate/],
    ['an error class named as a reserved word is a MisuseError', errorClass('class'), /not a usable identifier/],
    ['an error class named console is a MisuseError', errorClass('console'), /reserved/],
    ['functions that are no object are a MisuseError', [{ global: 'a', functions: 5 }], /functions/],
    ['bindings that are no array are a MisuseError', { global: 'a', functions: TOOLS }, /bindings/],
  ],
  (bindings, message) => ({
    section: '2.3',
    programs: RETURN_1,
    run: ({ run }) => rejects(run({ bindings: bindings as never }), isMisuse(message)),
  }),
)

const isMisuse = (message: RegExp) => (error: unknown) =>
  error instanceof MisuseError && message.test((error as Error).message)

const USABLE = rows<[member: string]>(
  USABLE_MEMBERS.map((member) => [`an error member ${member} is fine`, member] as const),
  (member) => ({
    section: '2.3',
    programs: EMPTY,
    run: gives({ error: ABSENT }, { bindings: errorClass('ToolError', member) as never }),
  }),
)

const READ_ONCE: readonly ConformanceCase[] = [
  {
    section: '2.4',
    title: 'the objects of the caller are read once, at the call',
    programs: EMPTY,
    run: async ({ create, program }) => {
      const functions = withGetters({ one: () => 1, notAFunction: 5 })
      const declared = withGetters({ name: 'ToolError', memberNameProperty: 'tool' })
      const namespace = withGetters({ global: 'tools', functions: functions.object, errorClass: declared.object })
      const request = withGetters({ program, bindings: [namespace.object], signal: undefined, onEvent: undefined })
      await (await create()).run(request.object as unknown as RunRequest)
      deepStrictEqual(
        [functions, declared, namespace, request].map(({ reads }) => reads.toSorted()),
        [
          ['notAFunction', 'one'],
          ['memberNameProperty', 'name'],
          ['errorClass', 'functions', 'global'],
          ['bindings', 'onEvent', 'program', 'signal'],
        ],
      )
    },
  },
  {
    section: '2.4',
    title: 'members that are not functions are left out, and later changes do not count',
    programs: {
      javascript: `return [Object.keys(tools), await tools.one()]`,
      python: `return [sorted(n for n in dir(tools) if not n.startswith('_')), await tools.one()]`,
    },
    run: async ({ create, program }) => {
      const runtime = await create()
      const tools: Record<string, BindingFunction> = { one: () => 1, text: 'x' as never, nothing: undefined as never }
      const result = runtime.run({ program, bindings: [{ global: 'tools', functions: tools }] })
      tools['one'] = () => 2
      tools['two'] = () => 2
      hasShape(await result, { value: [['one'], 1] })
    },
  },
  ...rows<[field: string]>(
    ['program', 'bindings', 'signal', 'onEvent'].map(
      (field) => [`what a getter of ${field} throws is what rejects`, field] as const,
    ),
    (field) => ({
      section: '2.4',
      programs: EMPTY,
      run: async ({ create, program }) => {
        const thrown = new Error('do not read me')
        const getter = Object.getOwnPropertyDescriptors(withThrowingGetter(field, thrown))
        const request = Object.defineProperties({ program }, getter)
        await rejects((await create()).run(request), (error) => error === thrown)
      },
    }),
  ),
]

const LABELS: ConformanceCase = {
  section: '1.2',
  title: 'a runtime has labels that cannot be written',
  programs: RETURN_1,
  run: async ({ create, language }) => {
    const runtime = await create()
    hasShape([runtime.language, runtime.isolation], [language, /./])
    for (const label of ['language', 'isolation']) {
      ok(!Reflect.set(runtime, label, 'x'), `${label} is read-only`)
    }
  },
}

export const OUTCOME_CASES: readonly ConformanceCase[] = [
  LABELS,
  ...OUTCOMES,
  ...KINDS,
  ...MISUSE,
  ...USABLE,
  ...READ_ONCE,
]
