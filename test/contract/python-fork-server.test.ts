import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { NodeProcessControl } from '../../src/adapters/process/process-control.js'
import {
  type CodeRuntimeOptions,
  ConfigurationError,
  createCodeRuntime,
  type ForkServerCommand,
} from '../../src/index.js'
import { until, useOwnTemp } from '../support/processes.js'
import { usePython } from '../support/python.js'

const temp = useOwnTemp()
const FORKS: CodeRuntimeOptions = { language: 'python', warm: 0, forkServer: true, limits: { graceMs: 300 } }

const userSite = spawnSync('python3', ['-I', '-c', 'import site; print(site.getsitepackages()[0])'], {
  encoding: 'utf8',
})
const sitePackages = userSite.stdout.trim()

/** A module of the interpreter's own, for as long as the check runs. */
const withModule = async (source: string, check: (name: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(sitePackages, 'code_runtime_test_'))
  try {
    writeFileSync(join(folder, '__init__.py'), source)
    await check(folder.slice(sitePackages.length + 1))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('preloading', () => {
  const refusal = async (...preload: string[]): Promise<string> => {
    const error: unknown = await createCodeRuntime({ ...FORKS, forkServer: { preload } }).then(
      async (runtime) => runtime.dispose(),
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(ConfigurationError)
    return (error as Error).message
  }

  test('makes modules that runs import be there already', async () => {
    await using runtime = await createCodeRuntime({ ...FORKS, forkServer: { preload: ['decimal', 'xml.dom.minidom'] } })
    const program =
      'import sys\nreturn [name in sys.modules for name in ["asyncio", "decimal", "xml.dom.minidom", "csv"]]'
    expect((await runtime.run({ program })).value).toEqual([true, true, true, false])
  })

  test('of what is not there is refused at creation, with the traceback', async () => {
    const message = await refusal('json', 'no_such_module_anywhere')
    expect(message).toMatch(
      /^Expected `forkServer.preload` to be modules that can be imported and start no thread, got `"no_such_module_anywhere"`:\n/,
    )
    expect(message).toMatch(/ModuleNotFoundError: No module named 'no_such_module_anywhere'$/)
    expect(readdirSync(temp.path)).toEqual([])
  })

  test.each<[string, string, RegExp]>([
    ['raises', 'def fail(): raise ValueError("at import")\nfail()', /line 1, in fail[\s\S]*ValueError: at import$/],
    ['leaves', 'import sys; sys.exit(3)', /SystemExit: 3$/],
    ['does not parse', 'def (', /SyntaxError: /],
    [
      'starts threads',
      'import threading, time\nfor _ in range(2): threading.Thread(target=time.sleep, args=(60,)).start()',
      /\nit started 2 of them$/,
    ],
    [
      'ends the process',
      'import os; os._exit(3)',
      /^The fork server could not be started: the fork server exited with code 3 before it was ready/,
    ],
    [
      'crashes the process',
      'import os, sys; print("last words", file=sys.stderr); os.abort()',
      /^The fork server could not be started: the fork server was killed by SIGABRT before it was ready: last words/,
    ],
  ])('of a module that %s is refused at creation', (_title, source, message) =>
    withModule(source, async (name) => {
      expect(await refusal(name)).toMatch(message)
      expect(readdirSync(temp.path)).toEqual([])
    }),
  )

  test('leaves nothing behind that a module changed in the process, and nothing that it printed', () =>
    withModule(
      `import os, signal, sys, tempfile
print('noise'); print('noise', file=sys.stderr); os.write(1, b'noise\\n')
os.chdir('/proc'); os.umask(0)
signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.signal(signal.SIGCHLD, signal.SIG_IGN)
signal.set_wakeup_fd(os.open('/dev/null', os.O_WRONLY | os.O_NONBLOCK))
sys.stdout = sys.stderr = sys.stdin = None
file = open(__file__); pipe = os.pipe()
import subprocess; subprocess.Popen(['/bin/sleep', '1000'])`,
      async (name) => {
        await using runtime = await createCodeRuntime({ ...FORKS, cwd: temp.path, forkServer: { preload: [name] } })
        const program = `import os, signal, sys
mask = os.umask(0o22)
os.listdir('.')
print('heard')
return [os.getcwd(), mask, signal.getsignal(signal.SIGTERM) is signal.SIG_DFL, signal.getsignal(signal.SIGCHLD) is signal.SIG_DFL,
  signal.set_wakeup_fd(-1), len(os.listdir('/proc/self/fd')), sys.stdin.read(), os.system('exit 3') >> 8]`
        const { value, logs } = await runtime.run({ program })
        expect([value, logs]).toEqual([[temp.path, 0o22, true, true, -1, 5, '', 3], ['heard']])
      },
    ))
})

test('a generator that numpy does not seed keeps no fork from its run', () =>
  withModule(
    `import sys, types
def seed(): raise ValueError('not mine')
sys.modules['numpy.random'] = types.SimpleNamespace(seed=seed)`,
    async (name) => {
      await using runtime = await createCodeRuntime({ ...FORKS, forkServer: { preload: [name] } })
      expect(await runtime.run({ program: 'return 1' })).toMatchObject({ value: 1, logs: [] })
    },
  ))

test('a fork that cannot be made a guest of says so', () =>
  withModule(
    `import sys, types
def current_process(): raise ValueError('not mine')
sys.modules['multiprocessing.process'] = types.SimpleNamespace(current_process=current_process)`,
    async (name) => {
      await using runtime = await createCodeRuntime({ ...FORKS, forkServer: { preload: [name] } })
      const { error, logs } = await runtime.run({ program: 'return 1' })
      expect([error?.kind, error?.message, logs]).toEqual([
        'worker-exit',
        expect.stringMatching(/code 70|could not reach the host/),
        [],
      ])
    },
  ))

describe('nothing of a run reaches the next:', () => {
  const run = usePython(FORKS)

  test.each<[string, string, string, unknown]>([
    [
      'modules',
      `import json, sys\njson.dumps = None\nsys.modules['made_up'] = sys\ndel sys.modules['asyncio']`,
      `import json, sys\nreturn [json.dumps(1), 'made_up' in sys.modules, 'asyncio' in sys.modules]`,
      ['1', false, true],
    ],
    [
      'builtins',
      `import builtins\nbuiltins.len = None\nbuiltins.extra = 1`,
      `import builtins\nreturn [len([1]), hasattr(builtins, 'extra')]`,
      [1, false],
    ],
    ['globals', 'used = True', `return 'used' in globals()`, false],
    [
      'the environment',
      `import os\nos.environ['LEFT'] = '1'\ndel os.environ['TMPDIR']`,
      `import os\nreturn [os.environ.get('LEFT'), 'TMPDIR' in os.environ]`,
      [null, true],
    ],
    ['the umask', `import os\nos.umask(0)`, `import os\nreturn oct(os.umask(0o22))`, '0o22'],
    ['the working directory', `import os\nos.chdir('/proc')`, `import os\nreturn os.getcwd() == '/proc'`, false],
    [
      'signal handlers',
      `import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])`,
      `import signal\nreturn [signal.getsignal(signal.SIGTERM) is signal.SIG_DFL, len(signal.pthread_sigmask(signal.SIG_BLOCK, []))]`,
      [true, 0],
    ],
    [
      'descriptors',
      `import os\nfor _ in range(20): os.open('/dev/null', os.O_RDONLY)`,
      `import os\nreturn sorted(map(int, os.listdir('/proc/self/fd')))`,
      [0, 1, 2, 3, 4],
    ],
    [
      'limits',
      `import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (50, 50))`,
      `import resource\nreturn resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 50`,
      true,
    ],
    [
      'the path',
      `import sys\nsys.path.clear()\nsys.meta_path.clear()\nsys.argv.append('x')`,
      `import sys, colorsys\nreturn [len(sys.argv), sys.argv[0] == sys.orig_argv[-1]]`,
      [1, true],
    ],
    [
      'the collector',
      'import gc\ngc.disable()\ngc.set_threshold(1)',
      'import gc\nreturn [gc.isenabled(), gc.get_threshold()[0] > 1]',
      [true, true],
    ],
  ])('%s', async (_title, change, look, expected) => {
    expect((await run(change)).error).toBeUndefined()
    const { value, error } = await run(look)
    expect([error, value]).toEqual([undefined, expected])
  })

  test('random state', async () => {
    const program = `import random, tempfile, uuid, os, secrets, multiprocessing
return [random.random(), str(uuid.uuid4()), next(tempfile._get_candidate_names()), os.urandom(4).hex(), secrets.token_hex(4), bytes(multiprocessing.current_process().authkey).hex()]`
    await using runtime = await createCodeRuntime({
      ...FORKS,
      forkServer: { preload: ['random', 'tempfile', 'uuid', 'secrets', 'multiprocessing'] },
    })
    const values = await Promise.all([0, 1, 2].map(async () => (await runtime.run({ program })).value as string[]))
    expect(values.map((value) => value.length)).toEqual([6, 6, 6])
    expect(new Set(values.flat()).size).toBe(18)
  })
})

const withNumpy = spawnSync('/usr/bin/python3', ['-I', '-c', 'import numpy, pandas'], { stdio: 'ignore' }).status === 0

test.skipIf(!withNumpy)(
  'numpy and pandas can be preloaded, and their random state is not shared',
  async () => {
    await using runtime = await createCodeRuntime({
      ...FORKS,
      pythonBin: '/usr/bin/python3',
      forkServer: { preload: ['numpy', 'pandas'] },
    })
    const program = `import numpy as np, pandas as pd
assert float((np.ones((300, 300)) @ np.ones((300, 300))).sum()) == 2.7e7
assert pd.DataFrame({'n': [1, 2]})['n'].sum() == 3
return [float(np.random.random()), float(np.random.default_rng().random())]`
    const results = await Promise.all([0, 1, 2].map(() => runtime.run({ program })))
    expect(results.map(({ error }) => error)).toEqual([undefined, undefined, undefined])
    expect(new Set(results.flatMap(({ value }) => value as number[])).size).toBe(6)
  },
  60_000,
)

/** Notes the server, and what it was started with. */
class Control extends NodeProcessControl {
  readonly servers: number[] = []
  override startForkServer(command: ForkServerCommand) {
    const server = super.startForkServer(command)
    this.servers.push(server.identity?.pid ?? -1)
    return server
  }
}

const zombiesOf = (parent: number): number =>
  readdirSync('/proc').filter((pid) => {
    try {
      const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(/\) (?=\w )/)
      return rest.startsWith(`Z ${parent} `)
    } catch {
      return false
    }
  }).length

describe('the server', () => {
  test('is one for all runs, and keeps neither zombies nor descriptors over 200 of them', async () => {
    const processControl = new Control()
    await using runtime = await createCodeRuntime({ ...FORKS, adapters: { processControl } })
    const [server = 0] = processControl.servers
    const descriptors = () => [server, process.pid].map((pid) => readdirSync(`/proc/${pid}/fd`).length)
    await runtime.run({ program: 'return 1' })
    const before = descriptors()
    const parents = new Set<unknown>()
    for (let round = 0; round < 20; round += 1) {
      const runs = Array.from({ length: 10 }, () => runtime.run({ program: 'import os\nreturn os.getppid()' }))
      for (const { value } of await Promise.all(runs)) parents.add(value)
    }
    expect([processControl.servers.length, [...parents]]).toEqual([1, [server]])
    await until(() => zombiesOf(server) === 0, 'all are reaped')
    await until(() => descriptors().every((count, index) => count <= (before[index] ?? 0)), 'no descriptor is left')
  })

  test('imports no file that a program could have changed', async () => {
    await using runtime = await createCodeRuntime(FORKS)
    const program = `import os
folder = os.path.dirname(open('/proc/self/cmdline').read().split(chr(0))[-3])
return [os.listdir(folder), oct(os.stat(folder).st_mode & 0o777)]`
    expect((await runtime.run({ program })).value).toEqual([['s'], '0o700'])
  })

  test('feeds the prepared guests', async () => {
    const processControl = new Control()
    await using runtime = await createCodeRuntime({ ...FORKS, warm: 2, adapters: { processControl } })
    const pids = new Set<unknown>()
    for (let run = 0; run < 5; run += 1)
      pids.add((await runtime.run({ program: 'import os\nreturn os.getpid()' })).value)
    expect([pids.size, processControl.servers.length]).toEqual([5, 1])
  })

  test('whose temp root has too long a path is refused at creation', async () => {
    const long = join(temp.path, 'x'.repeat(100))
    mkdirSync(long)
    process.env['TMPDIR'] = long
    try {
      await expect(createCodeRuntime(FORKS)).rejects.toThrow(/^The fork server could not be started: .* is too long/)
    } finally {
      process.env['TMPDIR'] = temp.path
      rmSync(long, { recursive: true })
    }
  })
})

test('a fork is a guest like any other: a session, a group and marks of its own', async () => {
  await using runtime = await createCodeRuntime(FORKS)
  const program = `import os, subprocess, sys
number = os.environ['CODE_RUNTIME_RUN']
shown = [entry for entry in open('/proc/self/environ').read().split(chr(0)) if entry.startswith('CODE_RUNTIME_RUN')]
child = subprocess.run([sys.executable, '-I', '-c', 'import os; print(os.environ["CODE_RUNTIME_RUN"])'], capture_output=True, text=True).stdout.strip()
limit = [line for line in open('/proc/self/limits') if 'realtime timeout' in line][0].split()[3]
return [os.getpid() == os.getpgid(0) == os.getsid(0), shown == ['CODE_RUNTIME_RUN=' + number], child == number, limit == number, len(number)]`
  expect((await runtime.run({ program })).value).toEqual([true, true, true, true, 19])
})
