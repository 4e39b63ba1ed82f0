import type { ConformanceCase } from '../case.js'
import { ABSENT } from '../check.js'
import { failsAs, gives, rows } from '../expectations.js'

const MODULE_SEMANTICS = rows<[program: string, value: unknown]>(
  [
    [
      'a helper sees and sets names of the top level',
      `n = 1\ndef bump():\n  global n\n  n += 1\n  return n\nbump()\nreturn [n, bump(), globals()['n']]`,
      [2, 3, 3],
    ],
    [
      'recursion and comprehensions find them',
      `def f(n): return 1 if n == 0 else n * f(n - 1)\nreturn [f(i) for i in range(5)]`,
      [1, 1, 2, 6, 24],
    ],
    ['eval and exec find them', `a = 2\nexec('b = a + 1')\nreturn [eval('a + b'), b]`, [5, 3]],
    ['a star import works', `from math import *\nreturn floor(pi)`, 3],
    [
      'a future import works',
      `from __future__ import annotations\ndef f(x: nowhere): pass\nreturn f.__annotations__`,
      { x: 'nowhere' },
    ],
    [
      'classes pickle',
      `import pickle\nclass Point:\n  def __init__(self, x): self.x = x\nreturn pickle.loads(pickle.dumps(Point(3))).x`,
      3,
    ],
    [
      'sources are found',
      `import inspect\ndef f():\n  return 1\nreturn inspect.getsource(f)`,
      'def f():\n  return 1\n',
    ],
    [
      'it is the main module',
      `import sys\nreturn [__name__, sys.modules['__main__'].__name__]`,
      ['__main__', '__main__'],
    ],
    ['an empty program is null', '', null],
    [
      'what is assigned to builtins and to `__main__` reaches no bridge, log or report',
      `import builtins, json, sys\nmain = sys.modules['__main__']\njson.dumps = json.loads = None\nfor name in ('channel', 'agent', 'wire', 'session'): setattr(main, name, None)\nbuiltins.len = builtins.isinstance = builtins.str = None\nreturn await tools.echo({"a": [1]})`,
      { a: [1] },
    ],
  ],
  (program, value) => ({
    section: '3.9',
    programs: { python: program },
    run: gives({ error: ABSENT, value, logs: [] }),
  }),
  (title) => `the text means what a module's body would: ${title}`,
)

const OTHER_LOOPS: readonly ConformanceCase[] = [
  {
    section: '4.6',
    title: 'a call from a loop of another thread is answered there',
    programs: {
      python: `import asyncio, threading\nfound = []\nasync def ask(): return await tools.echo(5)\nthread = threading.Thread(target=lambda: found.append(asyncio.run(ask())))\nthread.start()\nwhile thread.is_alive(): await asyncio.sleep(0.01)\nreturn [found, await tools.one()]`,
    },
    requires: ['platform'],
    run: gives({ error: ABSENT, value: [[5], 1] }),
  },
  {
    section: '4.6',
    title: 'an abandoned call disturbs no later one',
    programs: {
      python: `import asyncio\ntry:\n  await asyncio.wait_for(tools.hang(), 0.05)\nexcept asyncio.TimeoutError: pass\nreturn await tools.echo(6)`,
    },
    requires: ['timers'],
    run: gives({ error: ABSENT, value: 6 }),
  },
]

const CPU = rows<[program: string]>(
  [
    ['ignored', 'signal.signal(signal.SIGXCPU, signal.SIG_IGN)'],
    ['trapped', 'signal.signal(signal.SIGXCPU, lambda *_: None)'],
    ['masked', 'signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGXCPU})'],
  ],
  (act) => ({
    section: '8.3',
    programs: {
      python: `import signal, time\n${act}\nend = time.process_time() + 1.05\nwhile time.process_time() < end: pass\nreturn 1`,
    },
    requires: ['cpuSeconds'],
    limits: { cpuSeconds: 1, maxWallMs: 20_000 },
    run: failsAs('timeout', /CPU time exhausted/),
  }),
  (title) => `a program that used up its CPU time and returns is a timeout, SIGXCPU being ${title}`,
)

const GROUPS: ConformanceCase = {
  section: '3.5',
  title: 'a group of exceptions shows its members',
  programs: {
    python: `import sys\nif sys.version_info < (3, 11): raise ValueError('one two')\nraise ExceptionGroup('all', [ValueError('one'), KeyError('two')])`,
  },
  run: failsAs('exception', /one[\s\S]*two/),
}

export const PYTHON_CASES: readonly ConformanceCase[] = [...MODULE_SEMANTICS, ...OTHER_LOOPS, ...CPU, GROUPS]
