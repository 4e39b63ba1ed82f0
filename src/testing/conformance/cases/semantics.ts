import { ok } from 'node:assert'
import type { Requirement } from '../capabilities.js'
import type { ConformanceCase, Programs } from '../case.js'
import { ABSENT, hasShape } from '../check.js'
import { failsAs, gives, returns, rows } from '../expectations.js'
import { HOST_TRACES } from '../tools.js'

const PROGRAMS = rows<[section: string, programs: Programs, value: unknown, ...requires: Requirement[]]>(
  [
    [
      'top-level await and return work',
      '3.1',
      { javascript: 'return await Promise.resolve(4)', python: 'import asyncio\nawait asyncio.sleep(0)\nreturn 4' },
      4,
    ],
    ['a body without await works', '3.1', { javascript: 'return 2 + 2', python: 'return 2 + 2' }, 4],
    ['a value of null is a value', '3.1', { javascript: 'return null', python: 'return None' }, null],
    [
      'each namespace is a global object',
      '3.1',
      {
        javascript: 'return [await tools.one(), typeof tools]',
        python: `return [await tools.one(), 'object' if tools is not None else '']`,
      },
      [1, 'object'],
    ],
    [
      'the environment is empty',
      '3.2',
      {
        javascript: 'return [Object.keys(process.env), (await import("node:process")).env.PATH ?? null]',
        python: `import os\nreturn [[k for k in os.environ if k not in ('TMPDIR', 'MPLBACKEND') and not k.endswith('_NUM_THREADS') and not k.startswith(('LC_', 'CODE_RUNTIME', 'PYTHON'))], os.environ.get('PATH')]`,
      },
      [[], null],
      'environment',
    ],
    [
      'standard input is at its end',
      '3.3',
      {
        javascript: `let read = ''; for await (const chunk of process.stdin) read += chunk; return [read, process.stdin.readableEnded]`,
        python: `try:\n  input()\nexcept EOFError:\n  return ['', True]`,
      },
      ['', true],
      'stdin',
    ],
    [
      'a subprocess that reads standard input ends at once',
      '3.3',
      { python: `import subprocess\nreturn subprocess.run(['/bin/cat'], capture_output=True).stdout.decode()` },
      '',
      'stdin',
      'subprocesses',
    ],
    [
      'modules of the platform can be imported',
      '3.6',
      {
        javascript: `const { posix } = await import('node:path'); return posix.join('a', 'b')`,
        python: `import posixpath\nreturn posixpath.join('a', 'b')`,
      },
      'a/b',
      'platform',
    ],
  ],
  (section, programs, value, ...requires) => ({
    section,
    programs,
    requires,
    run: gives({ error: ABSENT, value, logs: [] }),
    ...(section === '3.3' && {
      reports: ['neuron-team/vscode-ipe#41', 'agentuity/sdk#1176', 'chaseai-yt/claudex-loop#2'],
    }),
  }),
)

const NO_VALUE: ConformanceCase = {
  section: '3.7',
  title: 'an undefined completion is no value',
  programs: { javascript: 'const a = 1' },
  run: gives({ error: ABSENT, value: ABSENT }),
}

const NONE: ConformanceCase = {
  section: '3.9',
  title: 'no return at all is null',
  programs: { python: 'a = 1' },
  run: returns(null),
}

const EXITS = rows<[programs: Programs, code: number, logs: readonly string[], ...requires: Requirement[]]>(
  [
    ['in the first statement', { javascript: 'process.exit(7)', python: 'import os; os._exit(7)' }, 7, []],
    [
      'after some output, which is kept',
      {
        javascript: `console.log('a'); console.error('b'); process.stdout.write('c'); process.exit(0)`,
        python: `import os, sys\nprint('a'); print('b', file=sys.stderr); print('c', end='', flush=True); os._exit(0)`,
      },
      0,
      ['a', 'b', 'c'],
      'streams',
    ],
    ['in a microtask', { javascript: 'await null; process.exit(3)' }, 3, []],
    ['in a timer', { javascript: `setTimeout(() => process.exit(4), 5); await new Promise(() => {})` }, 4, []],
    [
      'after a call',
      { javascript: `await tools.one(); process.exit(5)`, python: 'import os\nawait tools.one()\nos._exit(5)' },
      5,
      [],
    ],
    [
      'while a call hangs',
      {
        javascript: `tools.hang(); process.exit(6)`,
        python: `import asyncio, os\nt = asyncio.ensure_future(tools.hang())\nawait asyncio.sleep(0)\nos._exit(6)`,
      },
      6,
      [],
    ],
    ['in an exit listener', { javascript: `process.on('exit', () => process.exit(9)); process.exit(8)` }, 9, []],
    ['after its channel was closed', { python: 'import os\nos.close(3)\nos._exit(0)' }, 0, []],
    ['after its outputs were closed', { python: 'import os\nos.close(1); os.close(2)\nos._exit(0)' }, 0, []],
  ],
  (programs, code, logs, ...requires) => ({
    section: '3.4',
    programs,
    requires: ['exit', ...requires],
    reports: ['cuga-project/cuga-agent#629', 'stanfordnlp/dspy#10165'],
    run: gives({
      value: ABSENT,
      error: { kind: 'worker-exit', message: new RegExp(`code ${code} before completing`) },
      logs: (kept: string[]) => kept.toSorted().join() === logs.join(),
    }),
  }),
  (title) => `an exit ${title} is a worker-exit that names the code`,
)

const SYSTEM_EXITS = rows<[programs: Programs]>(
  [
    ['sys.exit()', { python: `print('a')\nimport sys\nsys.exit(3)` }],
    ['exit()', { python: `print('a')\nraise SystemExit` }],
    ['SystemExit with a text', { python: `print('a')\nraise SystemExit('msg')` }],
    ['KeyboardInterrupt', { python: `print('a')\nraise KeyboardInterrupt()` }],
  ],
  (programs) => ({
    section: '3.4',
    programs,
    reports: ['cuga-project/cuga-agent#629'],
    run: gives({ error: { kind: 'exception' }, logs: ['a'] }),
  }),
  (title) => `${title} is an exception`,
)

const KEPT: ConformanceCase = {
  section: '6.2',
  title: '300 lines printed before an exit are all kept',
  programs: {
    javascript: `for (let i = 0; i < 300; i++) console.log('line', i); process.exit(0)`,
    python: `import os\nfor i in range(300): print('line', i)\nos._exit(0)`,
  },
  requires: ['exit'],
  reports: ['nodejs/node#40961'],
  run: gives({ logs: Array.from({ length: 300 }, (_, i) => `line ${i}`) }),
}

const DIAGNOSTICS = rows<[programs: Programs, patterns: readonly RegExp[]]>(
  [
    [
      'a diagnostic shows class, text, file, line and source line',
      {
        javascript: `const a = 1\n\nthrow new RangeError('too far')`,
        python: `a = 1\n\nraise IndexError('too far')`,
      },
      [/RangeError|IndexError/, /too far/, /<model>/, /\b3\b/, /throw new|raise Index/],
    ],
    [
      'the diagnostic of a text that does not parse names the file and the line',
      { javascript: 'const a = 1\nlet b = = 2', python: 'a = 1\nb = = 2' },
      [/<model>/, /\b2\b/, /SyntaxError/],
    ],
    [
      'the diagnostic of a rejected call shows the text of the host and the line of the call',
      { javascript: `\nawait tools.fail()`, python: `\nawait tools.fail()` },
      [/the host refused/, /<model>/, /\b2\b/],
    ],
    [
      'a diagnostic survives an unpaired surrogate',
      { javascript: `throw new Error('a\\ud800b')`, python: `raise ValueError('a\\ud800b')` },
      [/a.*b/],
    ],
    [
      'a diagnostic survives an empty message',
      { javascript: `throw new Error('')`, python: 'raise ValueError()' },
      [/Error/],
    ],
    [
      'a diagnostic shows causes',
      {
        javascript: `try { JSON.parse('{') } catch (cause) { throw new Error('outer', { cause }) }`,
        python: `try:\n  int('x')\nexcept ValueError as e:\n  raise RuntimeError('outer') from e`,
      },
      [/outer/, /SyntaxError|invalid literal/],
    ],
    [
      'a diagnostic that cannot be rendered names the class',
      {
        javascript: `class Odd { toString() { throw new Error('never shown') } }\nthrow new Odd()`,
        python: `class Odd(Exception):\n  def __str__(self): raise ValueError('never shown')\nraise Odd()`,
      },
      [/Odd/, /^(?!.*never shown)/s],
    ],
    [
      'a chain of causes is cut at 100',
      {
        javascript: `let e = new Error('first'); for (let i = 0; i < 3000; i++) e = new Error('link', { cause: e }); throw e`,
        python: `e = ValueError('first')\nfor i in range(3000):\n  n = ValueError('link')\n  n.__cause__ = e\n  e = n\nraise e`,
      },
      [/chain truncated at 100 links/],
    ],
  ],
  (programs, patterns) => ({
    section: '3.5',
    programs,
    run: async ({ run }) => {
      const { error } = await run()
      hasShape(error?.kind, 'exception')
      for (const pattern of patterns) hasShape(error?.message, pattern)
      ok(!HOST_TRACES.test(error?.message ?? ''), `no trace of the host in ${error?.message}`)
    },
  }),
)

const POSITIONS = rows<[programs: Programs, position: string]>(
  [
    ['behind a template literal', { javascript: 'const a = `\n\n`\n\n\n\n    null.x' }, '7:'],
    [
      'behind types',
      { typescript: 'interface A {\n  x: number\n}\ntype B = string\nconst a: A = { x: 1 }\n\n    null.x' },
      '7:10',
    ],
    ['behind a text of several lines', { python: `a = '''\n\n\n'''\n\n\n    \n1 / 0` }, 'line 8'],
  ],
  (programs, position) => ({
    section: '3.5',
    programs,
    reports: ['TanStack strip-typescript.ts comment'],
    run: gives({ error: { kind: 'exception', message: (message: string) => message.includes(position) } }),
  }),
  (title) => `the position of an error is that of the program's own text: ${title}`,
)

const NO_REQUIRE: ConformanceCase = {
  section: '3.6',
  title: 'require() gets an error that says to await import()',
  programs: { javascript: `const fs = require('node:fs')\nreturn 1` },
  requires: ['platform'],
  reports: ['(dynamic import)'],
  run: failsAs('exception', /require is not defined[\s\S]*await import\(/),
}

const NO_GUEST: ConformanceCase = {
  section: '3.6',
  title: 'a program that does not parse never starts a guest',
  programs: { javascript: 'let = = 1', python: 'b = = 2' },
  requires: ['syntax-check'],
  run: async ({ run }) => {
    const states: string[] = []
    const { error } = await run({ onEvent: (event) => event.type === 'state' && states.push(event.state) })
    hasShape(error?.kind, 'exception')
    ok(!states.includes('starting'), `it came to ${states}`)
  },
}

export const SEMANTICS_CASES: readonly ConformanceCase[] = [
  ...PROGRAMS,
  NO_VALUE,
  NONE,
  ...EXITS,
  ...SYSTEM_EXITS,
  KEPT,
  ...DIAGNOSTICS,
  ...POSITIONS,
  NO_REQUIRE,
  NO_GUEST,
]
