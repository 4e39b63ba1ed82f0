import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { HOST_TRACES, TOOLS } from '../support/runtimes.js'
import { onEveryBackend } from './backends.js'

onEveryBackend((backend) => {
  const run = backend.use({ maxWallMs: 10_000 })

  backend.each<[unknown]>(
    [
      [
        'top-level await and return work',
        { typescript: 'return await Promise.resolve(4)', python: 'import asyncio\nawait asyncio.sleep(0)\nreturn 4' },
        4,
      ],
      ['a body without await works', { typescript: 'return 2 + 2', python: 'return 2 + 2' }, 4],
      ['a value of null is a value', { typescript: 'return null', python: 'return None' }, null],
      [
        'the environment is empty',
        {
          typescript: 'return [Object.keys(process.env), (await import("node:process")).env.PATH ?? null]',
          python: `import os\nreturn [[k for k in os.environ if k not in ('TMPDIR', 'MPLBACKEND', 'OPENBLAS_NUM_THREADS') and not k.startswith(('LC_', 'CODE_RUNTIME', 'PYTHON'))], os.environ.get('PATH')]`,
        },
        [[], null],
      ],
      [
        'standard input is at its end',
        {
          typescript: `let read = ''; for await (const chunk of process.stdin) read += chunk; return [read, process.stdin.readableEnded]`,
          python: `try:\n  input()\nexcept EOFError:\n  return ['', True]`,
        },
        ['', true],
      ],
    ],
    async (program, value) => {
      const result = await run(program)
      expect(result.error).toBeUndefined()
      expect(result).toMatchObject({ value, logs: [] })
    },
  )

  backend.it(
    'TMPDIR is all that a process gets',
    { python: `import os\nreturn os.environ.get('TMPDIR')` },
    async (program) => {
      expect((await run(program)).value).toBe(tmpdir())
    },
  )

  describe('an exit before completing', () => {
    backend.each(
      [
        ['in the first statement', { typescript: 'process.exit(7)', python: 'import os; os._exit(7)' }, 7, []],
        [
          'after some output',
          {
            typescript: `console.log('a'); console.error('b'); process.stdout.write('c'); process.exit(0)`,
            python: `import os, sys\nprint('a'); print('b', file=sys.stderr); print('c', end='', flush=True); os._exit(0)`,
          },
          0,
          ['a', 'b', 'c'],
        ],
        ['in a microtask', { typescript: 'await null; process.exit(3)' }, 3, []],
        ['in a timer', { typescript: `setTimeout(() => process.exit(4), 5); await new Promise(() => {})` }, 4, []],
        [
          'after a call',
          { typescript: `await tools.one(); process.exit(5)`, python: 'import os\nawait tools.one()\nos._exit(5)' },
          5,
          [],
        ],
        ['while a call hangs', { typescript: `tools.hang(); process.exit(6)` }, 6, []],
        ['in an exit listener', { typescript: `process.on('exit', () => process.exit(9)); process.exit(8)` }, 9, []],
      ],
      async (program, code: number, logs: string[]) => {
        const result = await run(program, { tools: TOOLS })
        expect(result.error?.kind).toBe('worker-exit')
        expect(result.error?.message).toContain(`code ${code} before completing`)
        expect(result.logs.toSorted()).toEqual(logs)
        expect(result).not.toHaveProperty('value')
      },
    )

    backend.it(
      '300 printed lines are all kept',
      {
        typescript: `for (let i = 0; i < 300; i++) console.log('line', i); process.exit(0)`,
        python: `import os\nfor i in range(300): print('line', i)\nos._exit(0)`,
      },
      async (program) => {
        expect((await run(program)).logs).toEqual(Array.from({ length: 300 }, (_, i) => `line ${i}`))
      },
    )

    backend.it(
      'an error raised by an exit function of the language is an exception',
      { python: 'import sys\nsys.exit(3)' },
      async (program) => {
        expect((await run(program)).error?.kind).toBe('exception')
      },
    )
  })

  describe('a diagnostic', () => {
    backend.each(
      [
        [
          'shows class, text, file, line and source line',
          {
            typescript: `const a = 1\n\nthrow new RangeError('too far')`,
            python: `a = 1\n\nraise IndexError('too far')`,
          },
          [/too far/, /<model>/, /\b3\b/, /throw new|raise Index/],
        ],
        [
          'of text that does not parse names the file and the line',
          { typescript: 'const a = 1\nlet b = = 2', python: 'a = 1\nb = = 2' },
          [/<model>/, /\b2\b/, /SyntaxError/],
        ],
        [
          'of a rejected call shows the host’s text and the line of the call',
          { typescript: `\nawait tools.fail()`, python: `\nawait tools.fail()` },
          [/the host refused/, /<model>/, /\b2\b/],
        ],
        [
          'survives an unpaired surrogate',
          { typescript: `throw new Error('a\\ud800b')`, python: `raise ValueError('a\\ud800b')` },
          [/a.*b/],
        ],
        ['survives an empty message', { typescript: `throw new Error('')`, python: 'raise ValueError()' }, [/Error/]],
        [
          'shows causes',
          {
            typescript: `try { JSON.parse('{') } catch (cause) { throw new Error('outer', { cause }) }`,
            python: `try:\n  int('x')\nexcept ValueError as e:\n  raise RuntimeError('outer') from e`,
          },
          [/outer/, /JSON|invalid literal/],
        ],
      ],
      async (program, expected: RegExp[]) => {
        const { error } = await run(program, { tools: TOOLS })
        expect(error?.kind).toBe('exception')
        for (const pattern of expected) expect(error?.message).toMatch(pattern)
        expect(error?.message).not.toMatch(HOST_TRACES)
      },
    )

    it.skipIf(backend.language !== 'typescript')('a program that does not parse never starts a guest', async () => {
      const states: string[] = []
      await run('let = = 1', { onEvent: (event) => event.type === 'state' && states.push(event.state) })
      expect(states).not.toContain('starting')
    })
  })
})
