import { describe, expect, test } from 'vitest'
import { createCodeRuntime, type RunResult } from '../../src/index.js'
import { allGone, isAlive, useOwnTemp } from '../support/processes.js'
import { onEveryPython, usePython } from '../support/python.js'

useOwnTemp()

const PRELUDE = `
import os, signal, subprocess, sys, time

def daemon(act):
  r, w = os.pipe()
  if not os.fork():
    os.setsid()
    if os.fork(): os._exit(0)
    os.write(w, b'%d' % os.getpid())
    act()
    os._exit(0)
  os.wait()
  return int(os.read(r, 20))

def forked(act):
  pid = os.fork()
  if not pid:
    act()
    os._exit(0)
  return pid

def deaf():
  signal.signal(signal.SIGTERM, signal.SIG_IGN)
  signal.signal(signal.SIGHUP, signal.SIG_IGN)
  while True: time.sleep(1)

def scrubbed():
  os.execve('/bin/sleep', ['sleep', '1000'], {})

def nap(): time.sleep(1000)
`

const LEFTOVERS: readonly (readonly [title: string, expression: string])[] = [
  ['a child', `subprocess.Popen(['/bin/sleep', '1000']).pid`],
  ['a child in a session of its own', `subprocess.Popen(['/bin/sleep', '1000'], start_new_session=True).pid`],
  ['a fork', 'forked(nap)'],
  ['a deaf fork', 'forked(deaf)'],
  ['a stopped fork', 'forked(lambda: os.kill(os.getpid(), signal.SIGSTOP))'],
  ['a daemon', 'daemon(nap)'],
  ['a deaf daemon', 'daemon(deaf)'],
  ['a daemon that executes', `daemon(lambda: os.execv('/bin/sleep', ['sleep', '1000']))`],
  ['a daemon without environment', 'daemon(scrubbed)'],
  [
    'a child without environment in a session of its own',
    `subprocess.Popen(['/bin/sleep', '1000'], start_new_session=True, env={}).pid`,
  ],
]

interface End {
  readonly title: string
  readonly program: string
  readonly check: Partial<RunResult> | object
  readonly act?: (abort: AbortController, pid: number) => void
}

const ENDS: readonly End[] = [
  { title: 'completes', program: 'return 1', check: { value: 1 } },
  { title: 'raises', program: 'raise ValueError(1)', check: { error: { kind: 'exception' } } },
  {
    title: 'leaves',
    program: 'os._exit(3)',
    check: { error: { kind: 'worker-exit', message: expect.stringContaining('code 3') } },
  },
  {
    title: 'kills itself',
    program: 'os.kill(os.getpid(), 9)',
    check: { error: { kind: 'worker-exit', message: expect.stringContaining('SIGKILL') } },
  },
  {
    title: 'takes too long',
    program: 'time.sleep(1000)',
    check: { error: { kind: 'timeout', message: expect.stringContaining('maxWallMs') } },
  },
  {
    title: 'is aborted',
    program: 'while True: pass',
    check: { error: { kind: 'abort' } },
    act: (abort) => abort.abort(),
  },
  {
    title: 'is killed by someone else',
    program: 'time.sleep(1000)',
    check: { error: { kind: 'worker-exit' } },
    act: (_, pid) => void process.kill(pid, 'SIGKILL'),
  },
]

onEveryPython((python) => {
  const run = usePython({ ...python, limits: { maxWallMs: 1_500, graceMs: 300 } })

  describe.each(LEFTOVERS)('%s does not outlive', (_title, expression) => {
    test.each(ENDS)('a run that $title', async ({ program, check, act }) => {
      const pids: number[] = []
      const abort = new AbortController()
      const note = ({ left, own }: { left: number; own: number }) => {
        pids.push(left)
        act?.(abort, own)
        return null
      }
      const result = await run(
        `${PRELUDE}\nleft = ${expression}\nawait tools.note({'left': left, 'own': os.getpid()})\n${program}`,
        { tools: { note } as never, signal: abort.signal },
      )
      expect(result).toMatchObject(check)
      expect(pids).toHaveLength(1)
      await allGone(pids)
    })
  })

  test('nothing is left when a runtime was disposed', async () => {
    const own = await createCodeRuntime({ ...python, limits: { graceMs: 300 } })
    const pids: number[] = []
    const noted = new Promise<void>((resolve) => {
      const note = (left: number[]): void => {
        pids.push(...left)
        resolve()
      }
      const list = LEFTOVERS.map(([, expression]) => expression).join(', ')
      void own.run({
        program: `${PRELUDE}\nawait tools.note([${list}, os.getpid()])\ntime.sleep(1000)`,
        bindings: [{ global: 'tools', functions: { note } as never }],
      })
    })
    await noted
    await own.dispose()
    expect(pids.filter(isAlive)).toEqual([])
  })

  test('what a completed run left is given its grace, and is gone when dispose resolves', async () => {
    const own = await createCodeRuntime({ ...python, limits: { graceMs: 400 } })
    const program = `${PRELUDE}
r, w = os.pipe()
def polite():
  def last(*_):
    time.sleep(0.1)
    os.write(w, b'x')
    os._exit(0)
  signal.signal(signal.SIGTERM, last)
  os.write(w, b'.')
  while True: time.sleep(1)
polite_pid, deaf_pid = forked(polite), forked(deaf)
os.read(r, 1)
return [polite_pid, deaf_pid]`
    const { value, usage } = await own.run({ program })
    const disposed = performance.now()
    await own.dispose()
    expect((value as number[]).filter(isAlive)).toEqual([])
    expect(performance.now() - disposed).toBeLessThan(3_000)
    expect(usage.wallMs).toBeLessThan(3_000)
  })

  test('a host too busy to look leaves no survivor', async () => {
    const { value } = await run(`${PRELUDE}\nreturn [forked(deaf), daemon(deaf)]`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
    await allGone(value as number[])
  })

  describe('a bomb of moderate size', () => {
    test.each([
      ['in the group', ''],
      ['of sessions of their own', 'os.setsid()'],
    ])('%s comes to its end', async (_title, leave) => {
      const program = `${PRELUDE}
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
end = time.monotonic() + 15
def bomb(depth):
  while time.monotonic() < end:
    if depth and not os.fork():
      ${leave || 'pass'}
      bomb(depth - 1)
      os._exit(0)
    time.sleep(0.04)
for _ in range(4):
  if not os.fork():
    bomb(2)
    os._exit(0)
time.sleep(0.2)
return 1`
      const own = await createCodeRuntime({ ...python, limits: { graceMs: 200 } })
      expect((await own.run({ program })).value).toBe(1)
      await own.dispose()
    })
  })
})
