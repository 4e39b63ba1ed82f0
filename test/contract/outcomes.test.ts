import { describe, expect, it } from 'vitest'
import { type BindingFunction, type FailureKind, MisuseError, type RunRequest } from '../../src/index.js'
import { withGetters, withThrowingGetter } from '../support/getters.js'
import { TOOLS } from '../support/runtimes.js'
import { onEveryBackend, type Programs } from './backends.js'

const FAILING: readonly [kind: FailureKind, programs: Programs, message: RegExp][] = [
  ['exception', { typescript: `throw new Error('very odd')`, python: `raise ValueError('very odd')` }, /very odd/],
  ['timeout', { typescript: 'for (;;) {}', python: 'while True: pass' }, /maxWallMs/],
  ['worker-exit', { typescript: 'process.exit(7)', python: 'import os; os._exit(7)' }, /code 7 before completing/],
  ['invalid-output', { typescript: 'return new Map()', python: 'return {1, 2}' }, /lossless JSON/],
  ['output-limit', { typescript: `return 'x'.repeat(5000)`, python: `return 'x' * 5000` }, /4096/],
]

onEveryBackend((backend) => {
  const run = backend.use({ maxWallMs: 1_500, maxValueBytes: 4_096 })
  const patiently = backend.use({ maxWallMs: 25_000 })

  describe('a run resolves for every outcome of the program', () => {
    backend.each(
      FAILING.map(([kind, programs, message]) => [kind, programs, kind, message] as const),
      async (program, kind, message) => {
        const result = await run(program)
        expect(result.error?.kind).toBe(kind)
        expect(result.error?.message).toMatch(message)
        expect(result).not.toHaveProperty('value')
        expect(result).toMatchObject({ logs: [], calls: [], usage: { bindingCalls: 0 } })
      },
    )

    backend.it('a success has no error key', { typescript: 'return null', python: 'return None' }, async (program) => {
      const result = await run(program)
      expect(result).toMatchObject({ value: null, logs: [] })
      expect(result).not.toHaveProperty('error')
    })

    it('an abort', async () => {
      const result = await run('return 1', { signal: AbortSignal.abort('the user left') })
      expect(result.error).toEqual({ kind: 'abort', message: 'the user left' })
    })
  })

  backend.it(
    'no state crosses from one run to the next',
    {
      typescript: `const before = globalThis.left ?? null; globalThis.left = 1; Array.prototype.left = 1; process.env.left = '1'; return before`,
      python: `import builtins\nbefore = getattr(builtins, 'left', None)\nbuiltins.left = 1\nreturn before`,
    },
    async (program) => {
      expect((await run(program)).value).toBeNull()
      expect((await run(program)).value).toBeNull()
    },
  )

  backend.it(
    'twenty runs at once do not mix',
    {
      typescript: `console.log('run', await tools.me()); return await tools.me()`,
      python: `print('run', await tools.me())\nreturn await tools.me()`,
    },
    async (program) => {
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, me) => patiently(program, { tools: { me: () => me } })),
      )
      expect(results.map(({ value, logs }) => [value, logs])).toEqual(
        Array.from({ length: 20 }, (_, me) => [me, [`run ${me}`]]),
      )
    },
  )

  describe('misuse rejects', () => {
    const functions = TOOLS
    const errorClass = (name: string, memberNameProperty: unknown = 'tool') => [
      { global: 'tools', functions, errorClass: { name, memberNameProperty } },
    ]
    it.each<readonly [title: string, bindings: unknown, message: RegExp]>([
      ...[
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
      ].map((global) => [global, [{ global, functions }], /not a usable identifier/] as const),
      ...['console', '__builtins__', '__name__', '__debug__'].map(
        (global) => [global, [{ global, functions }], /reserved/] as const,
      ),
      [
        'a duplicate',
        [
          { global: 'a', functions },
          { global: 'a', functions },
        ],
        /duplicate/,
      ],
      ['an error class like its global', errorClass('tools'), /duplicate/],
      ['an error class of a reserved word', errorClass('class'), /not a usable identifier/],
      ['an error class named console', errorClass('console'), /reserved/],
      ...['', 'name', 'message', 'stack', 'args', 'with_traceback', 'add_note', '__dict__', '__x__', 5].map(
        (member) => [`the member property ${member}`, errorClass('ToolError', member), /not usable/] as const,
      ),
      ['functions that are no object', [{ global: 'a', functions: 5 }], /functions/],
      ['bindings that are no array', { global: 'a', functions }, /bindings/],
    ])('%s', async (_title, bindings, message) => {
      const failure = await run('return 1', { bindings: bindings as never }).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(MisuseError)
      expect((failure as Error).message).toMatch(message)
    })

    it.each(['_private', '__mid', '__', '____', 'code', 'tool-name', 'constructor', 'cause', 'toString'])(
      'but the member property %s is fine',
      async (member) => {
        expect(await run('', { bindings: errorClass('ToolError', member) as never })).not.toHaveProperty('error')
      },
    )
  })

  describe('the objects of the caller', () => {
    it('are read once, at the call', async () => {
      const functions = withGetters({ one: () => 1, notAFunction: 5 })
      const errorClass = withGetters({ name: 'ToolError', memberNameProperty: 'tool' })
      const namespace = withGetters({ global: 'tools', functions: functions.object, errorClass: errorClass.object })
      const request = withGetters({ program: '', bindings: [namespace.object], signal: undefined, onEvent: undefined })
      await (await backend.create()).run(request.object as unknown as RunRequest)
      expect([functions, errorClass, namespace, request].map(({ reads }) => reads.sort())).toEqual([
        ['notAFunction', 'one'],
        ['memberNameProperty', 'name'],
        ['errorClass', 'functions', 'global'],
        ['bindings', 'onEvent', 'program', 'signal'],
      ])
    })

    it.each(['program', 'bindings', 'signal', 'onEvent'])(
      'a getter of %s that throws is what rejects',
      async (field) => {
        const thrown = new Error('do not read me')
        const runtime = await backend.create()
        const request = Object.defineProperties(
          { program: '' },
          Object.getOwnPropertyDescriptors(withThrowingGetter(field, thrown)),
        )
        await expect(runtime.run(request as RunRequest)).rejects.toBe(thrown)
        await runtime.dispose()
      },
    )

    backend.it(
      'members that are not functions are left out, and later changes do not count',
      {
        typescript: `return [Object.keys(tools), await tools.one()]`,
        python: `return [sorted(n for n in dir(tools) if not n.startswith('_')), await tools.one()]`,
      },
      async (program) => {
        const tools: Record<string, BindingFunction | string | undefined> = {
          one: () => 1,
          text: 'x',
          nothing: undefined,
        }
        const result = run(program, { tools: tools as Record<string, BindingFunction> })
        tools['one'] = () => 2
        tools['two'] = () => 2
        expect((await result).value).toEqual([['one'], 1])
      },
    )
  })
})
