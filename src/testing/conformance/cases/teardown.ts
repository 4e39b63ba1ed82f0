import { deepStrictEqual, ok, strictEqual } from 'node:assert'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConformanceCase, Programs } from '../case.js'
import { ABSENT, hasShape } from '../check.js'
import { gives, rows, turn } from '../expectations.js'
import { TOOLS } from '../tools.js'

const SETTLEMENT: readonly ConformanceCase[] = [
  {
    section: '11.1',
    title: 'a completion written just before an exit counts',
    programs: {
      javascript: `const { parentPort } = await import('node:worker_threads'); parentPort.postMessage('{"type":"done","value":5}'); process.exit(3)`,
      python: `import os\nos.write(3, b'{"type":"done","value":5}\\n')\nos._exit(3)`,
    },
    requires: ['channel', 'exit'],
    run: gives({ value: 5, error: ABSENT }),
  },
  {
    section: '11.2',
    title: 'a run is not held up by what its program left waiting',
    programs: {
      javascript: 'tools.hang(); return 1',
      python: `import asyncio\nt = asyncio.ensure_future(tools.hang())\nawait asyncio.sleep(0)\nreturn 1`,
    },
    run: gives({ value: 1, usage: { wallMs: (ms: number) => ms < 5_000 } }),
  },
  {
    section: '11.2',
    title: 'a run is not held up by timers and servers of its program',
    programs: {
      javascript: `setInterval(() => {}, 10); const { createServer } = await import('node:net'); createServer().listen(0); return 1`,
      python: `import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()\nreturn 1`,
    },
    requires: ['platform', 'timers'],
    run: gives({ value: 1, usage: { wallMs: (ms: number) => ms < 5_000 } }),
  },
  {
    section: '3.8',
    title: 'a floating rejection does not reach the host',
    programs: { javascript: `void Promise.reject(new Error('x')); return 1` },
    reports: ['laverdet/isolated-vm#451'],
    run: async ({ run }) => {
      const reached: unknown[] = []
      const note = (error: unknown) => reached.push(error)
      process.on('unhandledRejection', note)
      await run()
      await turn()
      process.off('unhandledRejection', note)
      deepStrictEqual(reached, [])
    },
  },
]

const ORPHANS = rows<[programs: Programs]>(
  [
    ['in its group', { python: `import subprocess\nprint(subprocess.Popen(['/bin/sleep', '60']).pid)\nreturn 1` }],
    [
      'in a session of its own',
      {
        python: `import subprocess\nprint(subprocess.Popen(['/bin/sleep', '60'], start_new_session=True).pid)\nreturn 1`,
      },
    ],
    [
      'behind a double fork',
      {
        python: `import os, time\nread, write = os.pipe()\nif os.fork() == 0:\n  os.setsid()\n  pid = os.fork()\n  if pid == 0:\n    while True: time.sleep(1)\n  os.write(write, b'%d' % pid)\n  os._exit(0)\nos.wait()\nprint(os.read(read, 20).decode())\nreturn 1`,
      },
    ],
  ],
  (programs) => ({
    section: '11.2',
    programs,
    requires: ['subprocesses'],
    reports: ['tinylibs/tinyexec#138', 'LeGambiArt/arapuca#70', 'razzant/ouroboros#31', 'openclaw/openclaw#121051'],
    run: async ({ run }) => {
      const { value, logs, usage } = await run()
      hasShape([value, logs.length], [1, 1])
      ok(usage.wallMs < 10_000, `it took ${usage.wallMs} ms`)
      await comesTo(() => !isAlive(Number(logs[0])), `the process ${logs[0]} is gone`)
    },
  }),
  (title) => `a process that the program left is gone with the run: ${title}`,
)

const POOL: ConformanceCase = {
  section: '11.2',
  title: 'a pool of processes works, and nothing of it is left',
  programs: {
    python: `import os, multiprocessing\ndef square(n): return [n * n, os.getpid()]\nwith multiprocessing.get_context('fork').Pool(2) as pool: found = pool.map(square, [1, 2, 3])\nprint(found[0][1])\nreturn [n for n, _ in found]`,
  },
  requires: ['subprocesses'],
  reports: ['ipython/ipython#10894', 'python/cpython#132898', 'thonny/thonny#2544', 'spyder-ide/spyder#16696'],
  run: async ({ run }) => {
    const { value, logs } = await run()
    deepStrictEqual(value, [1, 4, 9])
    await comesTo(() => !isAlive(Number(logs[0])), `the process ${logs[0]} is gone`)
  },
}

const DEADLINE_MS = 10_000

const comesTo = async (holds: () => boolean, what: string): Promise<void> => {
  const untilMs = performance.now() + DEADLINE_MS
  while (!holds() && performance.now() < untilMs) await sleep(5)
  strictEqual(holds(), true, what)
}

const stateOf = (pid: number): string => {
  const stat = read(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2)[0] ?? ''
}

/** Whether a process exists and is no zombie. */
const isAlive = (pid: number): boolean => {
  if (process.platform === 'linux') return !['', 'Z', 'X'].includes(stateOf(pid))
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const read = (path: string): string => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** The children of this process, where the platform tells. */
const children = (): string[] =>
  process.platform === 'linux'
    ? readdirSync('/proc/self/task').flatMap((task) => read(`/proc/self/task/${task}/children`).trim().split(/\s+/))
    : []

/** What a runtime may leave in its host. A test runner comes and goes with timers of its own. */
const holdings = (): string[] => [
  ...process.getActiveResourcesInfo().filter((name) => name !== 'Timeout' && name !== 'Immediate'),
  ...process.eventNames().flatMap((name) => Array(process.listenerCount(name)).fill(`listener of ${String(name)}`)),
  ...children().map((pid) => `process ${pid}`),
]

const added = (before: readonly string[], after: readonly string[]): string[] => {
  const left = [...before]
  return after.filter((holding) => {
    const index = left.indexOf(holding)
    if (index !== -1) left.splice(index, 1)
    return index === -1
  })
}

const LEAVES_NOTHING: ConformanceCase = {
  section: '11.5',
  title: 'what a runtime leaves behind is nothing: no resource, no listener, no process',
  programs: { javascript: 'return await tools.one()', python: 'return await tools.one()' },
  run: async ({ create, program, declared }) => {
    const before = holdings()
    for (const warm of declared.has('prepared-guests') ? [0, 2] : [0]) {
      const runtime = await create(warm === 0 ? {} : { warm })
      for (let i = 0; i < 3; i += 1) {
        hasShape(await runtime.run({ program, bindings: [{ global: 'tools', functions: TOOLS }] }), { value: 1 })
      }
      await runtime.dispose()
    }
    await turn()
    deepStrictEqual(added(before, holdings()), [])
  },
}

export const TEARDOWN_CASES: readonly ConformanceCase[] = [...SETTLEMENT, ...ORPHANS, POOL, LEAVES_NOTHING]
