import { spawn } from 'node:child_process'
import { afterEach, describe, expect, test } from 'vitest'
import { ProcFiles } from '../../../src/adapters/process/proc-files.js'
import { NodeProcessControl } from '../../../src/adapters/process/process-control.js'
import type { ControlledProcess, ProcessExit, ProcessIdentity } from '../../../src/index.js'
import { allGone, isAlive, until } from '../../support/processes.js'

const linux = new NodeProcessControl()
const withoutProc = new NodeProcessControl(new ProcFiles('/no/such/folder'))
const started: ProcessIdentity[] = []

afterEach(() => {
  for (const { pid } of started.splice(0)) {
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {}
  }
})

interface Started {
  readonly process: ControlledProcess
  readonly identity: ProcessIdentity
  readonly exited: Promise<ProcessExit>
  readonly closed: Promise<void>
  /** The numbers that it prints in its first line. */
  readonly numbers: Promise<number[]>
}

const start = (control: NodeProcessControl, python: string): Started => {
  const process = control.spawn({
    file: 'python3',
    args: ['-I', '-S', '-c', python],
    env: { PATH: PATH ?? '' },
    cwd: '/',
    frameCapBytes: 1_000,
  })
  const { identity } = process
  if (identity === undefined) throw new Error('it did not start')
  started.push(identity)
  let text = ''
  const numbers = new Promise<number[]>((resolve) => {
    process.stdout.on('data', (chunk: Buffer) => {
      text += chunk
      if (text.includes('\n')) resolve(text.split('\n')[0]?.split(' ').filter(Boolean).map(Number) ?? [])
    })
  })
  const exited = new Promise<ProcessExit>((resolve) => process.onExit(resolve))
  const closed = new Promise<void>((resolve) => process.onClose(resolve))
  return { process, identity, exited, closed, numbers }
}
const { PATH } = process.env

const SLEEP = 'import os, signal, subprocess, sys, time\n'
const READY = `${SLEEP}print(os.getpid(), flush=True)\ntime.sleep(1000)`

/** A child in a session of its own whose parent is dead and whose environment is empty; \`how\` picks what is left of it. */
const ESCAPED = (child: string) => `${SLEEP}
def escape():
  if os.fork():
    os.wait()
    return
  os.setsid()
  if os.fork():
    os._exit(0)
  ${child}
r, w = os.pipe()
escape()
print(int(os.read(r, 20)), flush=True)
time.sleep(1000)`

describe.each([
  ['Linux', linux],
  ['a system without /proc', withoutProc],
])('on %s', (name, control) => {
  test('a process leads its own group and session', async () => {
    const { numbers } = start(control, `${SLEEP}print(os.getpid(), os.getpgid(0), os.getsid(0), flush=True)`)
    const [pid, group, session] = await numbers
    expect([group, session]).toEqual([pid, pid])
  })

  test.each(['SIGTERM', 'SIGKILL'] as const)('%s reaches the whole group', async (signal) => {
    const { identity, numbers, exited } = start(
      control,
      `${SLEEP}child = subprocess.Popen(['sleep', '1000'])\nprint(os.getpid(), child.pid, flush=True)\ntime.sleep(1000)`,
    )
    const pids = await numbers
    expect(control.signalGroup(identity, signal)).toBe(true)
    expect(await exited).toEqual({ code: null, signal })
    await allGone(pids)
  })

  test('a stopped process takes SIGTERM', async () => {
    const { identity, numbers, exited } = start(control, READY)
    await numbers
    process.kill(identity.pid, 'SIGSTOP')
    control.signalGroup(identity, 'SIGTERM')
    expect(await exited).toEqual({ code: null, signal: 'SIGTERM' })
  })

  test('a group that is gone is not signalled', async () => {
    const { identity, closed } = start(control, 'pass')
    await closed
    expect(control.signalGroup(identity, 'SIGKILL')).toBe(false)
  })

  test('what is left of a group is ended, the deaf after the grace', async () => {
    const { identity, numbers, exited } = start(
      control,
      `${SLEEP}deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('x', flush=True); time.sleep(1000)"
children = [subprocess.Popen(args, stdout=subprocess.PIPE) for args in (['sleep', '1000'], [sys.executable, '-c', deaf])]
children[1].stdout.read(1)
print(*[child.pid for child in children], flush=True)`,
    )
    const [ordinary = 0, deaf = 0] = await numbers
    await exited
    control.signalGroup(identity, 'SIGTERM')
    const startedAtMs = performance.now()
    const ended = control.endDescendants(identity, 400)
    await allGone([ordinary])
    expect(isAlive(deaf)).toBe(true)
    await ended
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(390)
    await allGone([deaf])
  })

  test('nothing left needs no wait', async () => {
    const { identity, closed } = start(control, 'pass')
    await closed
    await control.endDescendants(identity, 60_000)
  })

  test('usage is what is known', async () => {
    const { identity, numbers } = start(
      control,
      `${SLEEP}\nwhile time.process_time() < 0.1: pass\nprint(1, flush=True)\ntime.sleep(1000)`,
    )
    await numbers
    const { cpuMs, peakMemoryBytes } = control.treeUsage(identity)
    if (name !== 'Linux') expect([cpuMs, peakMemoryBytes]).toEqual([null, null])
    else {
      expect(cpuMs).toBeGreaterThanOrEqual(90)
      expect(cpuMs).toBeLessThan(1_000)
      expect(peakMemoryBytes).toBeGreaterThan(2 ** 21)
      expect(peakMemoryBytes).toBeLessThan(2 ** 26)
    }
  })

  test('a file that is not there is reported when it exits', async () => {
    const process = control.spawn({ file: '/no/such/file', args: [], env: {}, cwd: '/', frameCapBytes: 1_000 })
    const exit = await new Promise<ProcessExit>((resolve) => process.onExit(resolve))
    expect(process.identity).toBeUndefined()
    expect(exit).toEqual({ startFailure: expect.objectContaining({ code: 'ENOENT' }) })
  })
})

describe('identity', () => {
  test('a start time is known, and stays', async () => {
    const { identity, numbers } = start(linux, READY)
    await numbers
    const proc = new ProcFiles()
    expect(identity.startTime).toMatch(/^\d+$/)
    expect([proc.stat(identity.pid)?.startTime, proc.stat(0)]).toEqual([identity.startTime, undefined])
  })

  test('a start time that differs withholds the signal', async () => {
    const { identity, numbers } = start(linux, READY)
    await numbers
    const other = { ...identity, startTime: '1', mark: `CODE_RUNTIME_RUN=${'1'.repeat(19)}` }
    expect(linux.signalGroup(other, 'SIGKILL')).toBe(false)
    await linux.endDescendants(other, 0)
    expect([isAlive(identity.pid), linux.treeUsage(other)]).toEqual([true, { cpuMs: null, peakMemoryBytes: null }])
  })

  test('an unknown one does not', async () => {
    const { identity, numbers, exited } = start(linux, READY)
    await numbers
    expect(linux.signalGroup({ ...identity, startTime: undefined }, 'SIGKILL')).toBe(true)
    expect(await exited).toEqual({ code: null, signal: 'SIGKILL' })
  })

  test('a mark that is none finds nobody', async () => {
    const stranger = spawn('sleep', ['1000'], { stdio: 'ignore' })
    for (const mark of ['', 'CODE_RUNTIME_RUN=', 'CODE_RUNTIME_RUN=1', 'PATH']) {
      await linux.endDescendants({ pid: 1, startTime: '1', mark }, 0)
    }
    expect(isAlive(stranger.pid ?? 0)).toBe(true)
    stranger.kill('SIGKILL')
  })
})

describe('who left the group is found', () => {
  test.each([
    [
      'in a session of its own',
      `${SLEEP}child = subprocess.Popen(['sleep', '1000'], start_new_session=True)\nprint(child.pid, flush=True)\ntime.sleep(1000)`,
    ],
    ['as a daemon', ESCAPED(`os.write(w, b'%d' % os.getpid()); time.sleep(1000)`)],
    ['as a daemon that executes', ESCAPED(`os.write(w, b'%d' % os.getpid()); os.execvp('sleep', ['sleep', '1000'])`)],
    [
      'as a daemon without its environment, by its limit',
      `import resource, os
number = int(os.environ['CODE_RUNTIME_RUN'])
resource.setrlimit(resource.RLIMIT_RTTIME, (number, number))
${ESCAPED(`os.write(w, b'%d' % os.getpid()); os.execve('/bin/sleep', ['sleep', '1000'], {})`)}`,
    ],
  ])('%s', async (_title, python) => {
    const { identity, numbers, exited } = start(linux, python)
    const pids = await numbers
    linux.signalGroup(identity, 'SIGKILL')
    await exited
    expect(pids.map(isAlive)).toEqual([true])
    await linux.endDescendants(identity, 0)
    expect(pids.map(isAlive)).toEqual([false])
  })

  test('without environment, limit and parent, when it was seen before', async () => {
    const { identity, numbers, exited } = start(
      linux,
      `${SLEEP}r, w = os.pipe()
child = subprocess.Popen([sys.executable, '-c', 'import os; os.setsid(); print(1, flush=True); os.read(0, 1); os.execve("/bin/sleep", ["sleep", "1000"], {})'], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
child.stdout.read(1)
print(child.pid, flush=True)
time.sleep(1000)`,
    )
    const [pid = 0] = await numbers
    linux.treeUsage(identity)
    process.kill(identity.pid, 'SIGKILL')
    await exited
    const proc = new ProcFiles()
    await until(() => proc.stat(pid)?.parent !== identity.pid, 'it has another parent')
    expect([isAlive(pid), proc.realTimeLimit(pid)]).toEqual([true, expect.stringContaining('unlimited')])
    await linux.endDescendants(identity, 0)
    expect(isAlive(pid)).toBe(false)
  })
})

test('three chains of processes, each of which only starts the next, come to their end', async () => {
  const chains = `${SLEEP}
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
end = time.monotonic() + 20
root = os.getpid()
for _ in range(2): os.fork()
if os.getpid() == root:
  time.sleep(0.1)
  print(1, flush=True)
  time.sleep(1000)
while time.monotonic() < end:
  if os.fork(): os._exit(0)
  os.setsid()
  time.sleep(0.02)`
  const { identity, numbers, exited } = start(linux, chains)
  await numbers
  process.kill(identity.pid, 'SIGKILL')
  await exited
  await linux.endDescendants(identity, 0)
  const proc = new ProcFiles()
  const left = proc.pids().filter((pid) => proc.environment(pid)?.includes(identity.mark) && isAlive(pid))
  expect(left).toEqual([])
})

describe('CPU time', () => {
  const burn = 'e = time.process_time() + 0.1\nwhile time.process_time() < e: pass'
  const usedMs = async (python: string): Promise<number> => {
    const { identity, numbers } = start(linux, `${SLEEP}${python}\nprint(1, flush=True)\ntime.sleep(1000)`)
    await numbers
    return linux.treeUsage(identity).cpuMs ?? 0
  }
  const forked = (after: string) => `r, w = os.pipe()
if not os.fork():
  e = time.process_time() + 0.1
  while time.process_time() < e: pass
  os.write(w, b'x')
  os._exit(0)
os.read(r, 1)
${after}`

  test.each([
    ['of the process itself', burn],
    ['of a child that was waited for', forked('os.wait()')],
    ['of a child that nobody waited for', forked('os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)')],
  ])('%s counts', async (_title, python) => {
    const used = await usedMs(python)
    expect(used).toBeGreaterThanOrEqual(90)
    expect(used).toBeLessThan(600)
  })

  test('of a child that vanished without being waited for counts as far as it was seen', async () => {
    const {
      identity,
      process: guest,
      exited,
    } = start(
      linux,
      `${SLEEP}signal.signal(signal.SIGCHLD, signal.SIG_IGN)
if not os.fork():
  e = time.process_time() + 0.1
  while time.process_time() < e: pass
  os.write(1, b'%d\\n' % os.getpid())
  time.sleep(1000)
time.sleep(1000)`,
    )
    const text = await new Promise<string>((resolve) =>
      guest.stdout.once('data', (chunk: Buffer) => resolve(String(chunk))),
    )
    const child = Number(text)
    const seen = linux.treeUsage(identity).cpuMs ?? 0
    process.kill(child, 'SIGKILL')
    await until(() => new ProcFiles().stat(child) === undefined, 'the child is gone')
    const after = linux.treeUsage(identity).cpuMs ?? 0
    expect(seen).toBeGreaterThanOrEqual(90)
    expect(after).toBeGreaterThanOrEqual(seen)
    process.kill(identity.pid, 'SIGKILL')
    await exited
    expect(linux.treeUsage(identity)).toEqual({ cpuMs: expect.any(Number), peakMemoryBytes: null })
    expect(linux.treeUsage(identity).cpuMs).toBeGreaterThanOrEqual(after)
  })
})
