import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { NodeProcessControl } from '../../src/adapters/process/process-control.js'
import {
  type CodeRuntime,
  type CodeRuntimeOptions,
  createCodeRuntime,
  type ForkServerCommand,
  type RunResult,
} from '../../src/index.js'
import { said, useHostProcess } from '../support/host-process.js'
import { allGone, isAlive, until, useOwnTemp } from '../support/processes.js'

const temp = useOwnTemp()
const host = useHostProcess()
const FORKS: CodeRuntimeOptions = { language: 'python', warm: 0, forkServer: true, limits: { graceMs: 300 } }

/** Notes the servers that are started. */
class Control extends NodeProcessControl {
  readonly servers: number[] = []
  readonly commands: ForkServerCommand[] = []
  override startForkServer(command: ForkServerCommand) {
    const server = super.startForkServer(command)
    this.servers.push(server.identity?.pid ?? -1)
    this.commands.push(command)
    return server
  }
}

const withForks = async (
  check: (runtime: CodeRuntime, control: Control) => Promise<void>,
  options: CodeRuntimeOptions = {},
): Promise<void> => {
  const processControl = new Control()
  const runtime = await createCodeRuntime({ ...FORKS, ...options, adapters: { processControl } })
  try {
    await check(runtime, processControl)
  } finally {
    await runtime.dispose()
  }
  await allGone(processControl.servers)
}

const LEFTOVERS = `import os, signal, subprocess, sys, time
def daemon():
  r, w = os.pipe()
  if not os.fork():
    os.setsid()
    if os.fork(): os._exit(0)
    os.write(w, b'%d' % os.getpid())
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True: time.sleep(1)
  os.wait()
  return int(os.read(r, 20))
left = [os.getpid(), daemon(), subprocess.Popen(['/bin/sleep', '1000']).pid, subprocess.Popen(['/bin/sleep', '1000'], start_new_session=True, env={}).pid]
`

/** A run with leftovers that waits; \`pids\` are known when it does. */
const waiting = async (runtime: CodeRuntime): Promise<{ pids: number[]; result: Promise<RunResult> }> => {
  let result!: Promise<RunResult>
  const pids = await new Promise<number[]>((resolve) => {
    result = runtime.run({
      program: `${LEFTOVERS}\nawait tools.note(left)\ntime.sleep(1000)`,
      bindings: [{ global: 'tools', functions: { note: async (left) => resolve(left as number[]) ?? null } }],
    })
  })
  return { pids, result }
}

const KILLED = {
  kind: 'worker-exit',
  message: 'the guest crashed before completing: the fork server was killed by SIGKILL',
}

describe('a server that is killed', () => {
  test.each([
    ['SIGKILL', 'SIGKILL'],
    ['SIGTERM', 'SIGTERM'],
    ['SIGSEGV', 'SIGSEGV'],
  ])('by a program with %s ends the runs in flight, and the next one has another', (signal, name) =>
    withForks(async (runtime, { servers }) => {
      const others = await Promise.all([waiting(runtime), waiting(runtime)])
      const own = await runtime.run({
        program: `import os, signal, time\nprint('kept', flush=True)\nos.kill(os.getppid(), signal.${signal})\ntime.sleep(1000)`,
      })
      const error = { ...KILLED, message: KILLED.message.replace('SIGKILL', name) }
      expect([own.error, own.logs]).toEqual([error, ['kept']])
      for (const { result, pids } of others) {
        expect((await result).error).toEqual(error)
        await allGone(pids)
      }
      expect((await runtime.run({ program: 'import os\nreturn os.getppid()' })).value).toBe(servers[1])
      expect(servers).toHaveLength(2)
    }),
  )

  test.each([0, 2])('by a program that is done at once harms none that comes after, with %d prepared ones', (warm) =>
    withForks(
      async (runtime) => {
        for (let round = 0; round < 5; round += 1) {
          await runtime.run({ program: 'import os\nos.kill(os.getppid(), 9)' })
          expect(await runtime.run({ program: 'return 1' })).toMatchObject({ value: 1 })
        }
      },
      { warm },
    ),
  )

  test('and was stopped before harms none that comes after', () =>
    withForks(async (runtime) => {
      await runtime.run({ program: 'import os, signal\nos.kill(os.getppid(), signal.SIGSTOP)' })
      expect(await runtime.run({ program: 'return 1' })).toMatchObject({ value: 1 })
    }))

  test('while it is idle is replaced', () =>
    withForks(
      async (runtime, { servers }) => {
        for (const round of [1, 2, 3]) {
          expect((await runtime.run({ program: 'return 1' })).value).toBe(1)
          process.kill(servers.at(-1) as number, 'SIGKILL')
          await until(() => !isAlive(servers[round - 1] as number), 'it is gone')
          // The host hears of it in one of its next turns.
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
        expect((await runtime.run({ program: 'return 1' })).value).toBe(1)
      },
      { warm: 1 },
    ))

  test('while a hundred runs start ends those, and nothing is left of them', () =>
    withForks(
      async (runtime, { servers }) => {
        const results = Array.from({ length: 100 }, () => runtime.run({ program: 'import time\ntime.sleep(1000)' }))
        await new Promise((resolve) => setTimeout(resolve, 30))
        process.kill(servers[0] as number, 'SIGKILL')
        const kinds = new Set<string | undefined>()
        const late = setTimeout(() => void runtime.dispose(), 3_000)
        for (const { error } of await Promise.all(results)) kinds.add(error?.kind)
        clearTimeout(late)
        expect(kinds).toContain('worker-exit')
      },
      { maxConcurrentRuns: 100 },
    ))
})

test('a server that is stopped is given up, and its runs with it', () =>
  withForks(
    async (runtime, { servers }) => {
      const other = await waiting(runtime)
      const startedAtMs = performance.now()
      const { error } = await runtime.run({
        program: 'import os, signal, time\nos.kill(os.getppid(), signal.SIGSTOP)\ntime.sleep(1000)',
      })
      expect(error?.kind).toBe('timeout')
      expect((await other.result).error?.kind).toMatch(/timeout|worker-exit/)
      expect(performance.now() - startedAtMs).toBeLessThan(10_000)
      await allGone(other.pids)
      await until(() => !isAlive(servers[0] as number), 'the server is gone', 15_000)
      expect((await runtime.run({ program: 'return 1' })).value).toBe(1)
    },
    { limits: { graceMs: 300, maxWallMs: 1_000 } },
  ))

test('a server that is stopped keeps dispose for a while and no longer', async () => {
  const runtime = await createCodeRuntime(FORKS)
  const result = runtime.run({
    program: 'import os, signal, time\nos.kill(os.getppid(), signal.SIGSTOP)\ntime.sleep(1000)',
  })
  await new Promise((resolve) => setTimeout(resolve, 300))
  const startedAtMs = performance.now()
  await runtime.dispose()
  expect((await result).error?.kind).toBe('abort')
  expect(performance.now() - startedAtMs).toBeLessThan(12_000)
})

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isAlive(pid) && parentOf(pid) === parent)

const parentOf = (pid: number): number => {
  try {
    return Number(/^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1])
  } catch {
    return -1
  }
}

test('a prepared fork that was killed harms no run, and dispose ends the others', async () => {
  let prepared: number[] = []
  await withForks(
    async (runtime, { servers: [server = -1] }) => {
      await runtime.run({ program: 'return 1' })
      const ready = () => {
        prepared = childrenOf(server)
        return prepared.length === 2
      }
      await until(ready, 'two are prepared')
      process.kill(prepared[0] as number, 'SIGKILL')
      await until(() => !existsSync(`/proc/${prepared[0]}`), 'it is gone, and reaped')
      for (let run = 0; run < 3; run += 1) expect((await runtime.run({ program: 'return 1' })).value).toBe(1)
      await until(ready, 'two are prepared')
    },
    { warm: 2 },
  )
  expect(prepared.filter(isAlive)).toEqual([])
})

test('a fork that was killed or stopped disturbs no other', () =>
  withForks(
    async (runtime) => {
      const answer = (program: string) => runtime.run({ program })
      const [killed, stopped, fine] = await Promise.all([
        answer('import os\nos.kill(os.getpid(), 9)'),
        answer('import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)'),
        answer('import asyncio\nawait asyncio.sleep(0.2)\nreturn 1'),
      ])
      expect([killed.error?.message, stopped.error?.kind, fine.value]).toEqual([
        'the guest was killed by SIGKILL before completing',
        'timeout',
        1,
      ])
    },
    { limits: { graceMs: 300, maxWallMs: 1_500 } },
  ))

describe('a server that cannot be started again', () => {
  test('ends the run that needs it, and the host goes on', () =>
    withForks(async (runtime, { servers }) => {
      process.kill(servers[0] as number, 'SIGKILL')
      await until(() => !isAlive(servers[0] as number), 'it is gone')
      await new Promise((resolve) => setTimeout(resolve, 50))
      process.env['TMPDIR'] = '/no/such/folder'
      try {
        const { error } = await runtime.run({ program: 'return 1' })
        expect(error).toEqual({ kind: 'worker-exit', message: expect.stringMatching(/^the guest failed to start: E/) })
      } finally {
        process.env['TMPDIR'] = temp.path
      }
      expect((await runtime.run({ program: 'return 1' })).value).toBe(1)
    }))

  test('because a preload fails now says so', async () => {
    const folder = join(temp.path, 'modules')
    const flag = join(temp.path, 'flag')
    const preload = `import os\nif os.path.exists(${JSON.stringify(flag)}): raise ValueError('not this time')`
    const site = (await runOnce('import site\nreturn site.getsitepackages()[0]')) as string
    const name = `code_runtime_test_${process.pid}`
    writeFileSync(join(site, `${name}.py`), preload)
    try {
      await withForks(
        async (runtime, { servers }) => {
          writeFileSync(flag, '')
          await runtime.run({ program: 'import os, time\nos.kill(os.getppid(), 9)\ntime.sleep(1000)' })
          const { error } = await runtime.run({ program: 'return 1' })
          expect(error).toEqual({ kind: 'worker-exit', message: expect.stringMatching(/not this time/) })
          rmSync(flag)
          expect((await runtime.run({ program: 'return 1' })).value).toBe(1)
          expect(servers).toHaveLength(3)
        },
        { forkServer: { preload: [name] } },
      )
    } finally {
      for (const path of [join(site, `${name}.py`), flag, folder]) rmSync(path, { force: true, recursive: true })
    }
  })
})

const runOnce = async (program: string): Promise<unknown> => {
  await using runtime = await createCodeRuntime(FORKS)
  return (await runtime.run({ program })).value
}

describe('a program', () => {
  test('has no descriptor of the server or the host but its own three', () =>
    withForks(async (runtime) => {
      const program = `import os
return [n for n in range(64) if os.path.islink(f'/proc/self/fd/{n}') and os.readlink(f'/proc/self/fd/{n}').startswith('socket:')]`
      expect((await runtime.run({ program })).value).toEqual([1, 2, 3])
    }))

  const SOCKET = `import os, socket, threading, time
path = os.path.join(os.path.dirname(open('/proc/self/cmdline').read().split(chr(0))[-3]), 's')
def arrive(hello):
  client = socket.socket(socket.AF_UNIX)
  client.connect(path)
  try: client.sendall(hello)
  except BrokenPipeError: pass
  return client
`

  test('that knocks at the socket with forged names gets nothing, and costs nothing', () =>
    withForks(async (runtime) => {
      const program = `${SOCKET}
clients = [arrive(hello) for hello in [b'', b'x', b'0' * 32 + b'3', b'f' * 33, b'{"type":"fork"}\\n', b'0' * 100000]]
def closed(client):
  try: return client.recv(100) == b''
  except ConnectionError: return True
await tools.next()
return [closed(client) for client in clients]`
      const next = async () => (await runtime.run({ program: 'return 5' })).value
      const { value, error } = await runtime.run({ program, bindings: [{ global: 'tools', functions: { next } }] })
      expect([error, value]).toEqual([undefined, Array(6).fill(true)])
    }))

  test('that knocks without end keeps no run from its start', () =>
    withForks(async (runtime) => {
      const program = `${SOCKET}
def knock():
  while True:
    try: arrive(b'0' * 33).close()
    except OSError: time.sleep(0.001)
threading.Thread(target=knock, daemon=True).start()
return await tools.next()`
      const next = async () => {
        const values: unknown[] = []
        for (let run = 0; run < 10; run += 1) values.push((await runtime.run({ program: 'return 5' })).value)
        return values as never
      }
      const { value } = await runtime.run({ program, bindings: [{ global: 'tools', functions: { next } }] })
      expect(value).toEqual(Array(10).fill(5))
    }))

  test.each([
    ['removes the socket', 'os.remove(path)'],
    ['removes its folder', 'import shutil\nshutil.rmtree(os.path.dirname(path))'],
    [
      'listens in its place',
      `os.rename(path, path + '.real')\nlistener = socket.socket(socket.AF_UNIX)\nlistener.bind(path)\nlistener.listen()`,
    ],
  ])('that %s harms no later run', (_title, act) =>
    withForks(async (runtime, { servers }) => {
      const next = async () => (await runtime.run({ program: 'return 5' })).value as never
      const program = `${SOCKET}\n${act}\nreturn await tools.next()`
      const { value } = await runtime.run({ program, bindings: [{ global: 'tools', functions: { next } }] })
      expect([value, (await runtime.run({ program: 'return 6' })).value, servers.length]).toEqual([5, 6, 1])
    }),
  )

  test('that hides its daemon from the environment and the limit is found by the other of the two', () =>
    withForks(async (runtime) => {
      const program = `${LEFTOVERS.slice(0, LEFTOVERS.indexOf('left ='))}
import resource
resource.setrlimit(resource.RLIMIT_RTTIME, (5, 5))
return daemon()`
      const { value, error } = await runtime.run({ program })
      expect(error).toBeUndefined()
      await allGone([value as number])
    }))
})

test('a host that is busy while many forks end misses none of them', () =>
  withForks(
    async (runtime) => {
      let waits = 0
      const block = () => {
        waits += 1
        if (waits === 40) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500)
        return null
      }
      const program = `await tools.block()\nprint('x' * 100)\nreturn 1`
      const bindings = [{ global: 'tools', functions: { block } }]
      const results = await Promise.all(Array.from({ length: 40 }, () => runtime.run({ program, bindings })))
      expect(results.every(({ value, logs }) => value === 1 && logs.length === 1)).toBe(true)
    },
    { maxConcurrentRuns: 40 },
  ))

test('a host without descriptors fails the run, and the next one is clean', async () => {
  const hostTemp = join(temp.path, 'host')
  const end = await host(
    `const { mkdirSync, openSync, closeSync, readdirSync } = await import('node:fs')
mkdirSync(process.env.TMPDIR)
const runtime = await createCodeRuntime(${JSON.stringify(FORKS)})
await runtime.run({ program: 'return 1' })
const taken = []
try { for (;;) taken.push(openSync('/dev/null', 'r')) } catch (error) { say(error.code) }
const { error } = await runtime.run({ program: 'return 1' })
say(error)
for (const fd of taken) closeSync(fd)
say((await runtime.run({ program: 'return 1' })).value)
await runtime.dispose()
say(readdirSync(process.env.TMPDIR))`,
    { env: { TMPDIR: hostTemp }, cwd: '/' },
  )
  expect(said(end)).toEqual([
    'EMFILE',
    { kind: 'worker-exit', message: expect.stringMatching(/the fork could not reach the host/) },
    1,
    [],
  ])
  rmSync(hostTemp, { recursive: true })
})

test('a host that dies takes a stopped server with it', async () => {
  const hostTemp = join(temp.path, 'host')
  const { stdout } = await host(
    `const { mkdirSync, writeSync } = await import('node:fs')
mkdirSync(process.env.TMPDIR)
const runtime = await createCodeRuntime(${JSON.stringify(FORKS)})
const die = (pids) => { writeSync(1, JSON.stringify(pids)); process.kill(process.pid, 'SIGKILL') }
await runtime.run({
  program: 'import os, signal, time\\nos.kill(os.getppid(), signal.SIGSTOP)\\nawait tools.die([os.getpid(), os.getppid()])\\ntime.sleep(1000)',
  bindings: [{ global: 'tools', functions: { die } }],
})`,
    { env: { TMPDIR: hostTemp } },
  )
  await allGone(JSON.parse(stdout) as number[])
  await until(() => readdirSync(hostTemp).length === 0, 'no file is left')
  rmSync(hostTemp, { recursive: true })
})
