import { existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ProcFiles } from '../../src/adapters/process/proc-files.js'
import { NodeProcessControl } from '../../src/adapters/process/process-control.js'
import { createCodeRuntime } from '../../src/index.js'
import { useHostProcess } from '../support/host-process.js'
import { allGone, isAlive, until, useOwnTemp } from '../support/processes.js'
import { onEveryPython, runPython, usePython } from '../support/python.js'

const temp = useOwnTemp()
const host = useHostProcess()

onEveryPython((python) => {
  const run = usePython({ ...python, limits: { graceMs: 300, maxWallMs: 10_000 } })
  const runQuickly = usePython({ ...python, limits: { graceMs: 200, maxWallMs: 2_500 } })

  describe('a run settles', () => {
    test('with what the guest said just before it left', async () => {
      expect(await run(`import os\nos.write(3, b'{"type":"done","value":5}\\n')\nos._exit(3)`)).toMatchObject({
        value: 5,
      })
    })

    test('with what the guest said before it left, also when the host was answering it then', async () => {
      const busy = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
      const program = `import os, time
os.write(3, b'{"type":"call","id":0,"global":"tools","name":"busy","args":null}\\n')
time.sleep(0.1)
print('said', flush=True)
os.write(3, b'{"type":"done","value":5}\\n')
os._exit(3)`
      expect(await run(program, { tools: { busy } })).toMatchObject({ value: 5, logs: ['said'] })
    })

    test.each([
      ['silent', `subprocess.Popen(['sleep', '1000'], start_new_session=True)`],
      ['chatty', `subprocess.Popen(['yes'], start_new_session=True)`],
      [
        'deaf',
        `subprocess.Popen([sys.executable, '-c', 'import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); time.sleep(1000)'])`,
      ],
    ])('promptly when a %s leftover holds its pipes', async (_title, leftover) => {
      const startedAtMs = performance.now()
      const { value } = await run(`import subprocess, sys\nchild = ${leftover}\nreturn child.pid`)
      expect(performance.now() - startedAtMs).toBeLessThan(2_000)
      await allGone([value as number])
    })
  })

  describe('a guest dies', () => {
    test.each([
      ['that sleeps', 'time.sleep(1000)'],
      ['that computes', 'while True: pass'],
      ['that is deaf', 'signal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(1000)'],
      [
        'that answers SIGTERM with more work',
        'signal.signal(signal.SIGTERM, lambda *_: time.sleep(1000))\ntime.sleep(1000)',
      ],
      [
        'that has blocked every signal',
        'signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\ntime.sleep(1000)',
      ],
      ['that has stopped itself', 'os.kill(os.getpid(), signal.SIGSTOP)'],
      ['that has closed its channel', 'os.close(3)\ntime.sleep(1000)'],
      ['that has closed all its descriptors', 'os.closerange(0, 100)\ntime.sleep(1000)'],
    ])('%s when its time is over', async (_title, act) => {
      const { error, usage, logs } = await runQuickly(`import os, signal, time\nprint('here', flush=True)\n${act}`)
      expect([error?.kind, logs]).toEqual(['timeout', ['here']])
      // At most the grace and 2 s more.
      expect(usage.wallMs).toBeLessThan(2_500 + 200 + 2_000 + 500)
    })

    test.each([
      ['a code', 'os._exit(7)', 'the guest exited with code 7 before completing'],
      ['success', 'os._exit(0)', 'the guest exited with code 0 before completing'],
      ['a signal', 'os.kill(os.getpid(), signal.SIGSEGV)', 'the guest was killed by SIGSEGV before completing'],
      ['its channel closed', 'os.close(3)\nos._exit(9)', 'the guest exited with code 9 before completing'],
    ])('by itself with %s: that is how the run ends', async (_title, act, message) => {
      const { error, logs, usage } = await run(`import os, signal\nprint('kept')\n${act}`)
      expect([error, logs]).toEqual([{ kind: 'worker-exit', message }, ['kept']])
      expect(usage.cpuMs).toBeGreaterThanOrEqual(0)
    })
  })

  describe('a host that dies takes its guests with it', () => {
    const DAEMON = `import os, time, subprocess
subprocess.Popen(['/bin/sleep', '1000'], start_new_session=True, env={})
r, w = os.pipe()
if not os.fork():
  os.setsid()
  if os.fork(): os._exit(0)
  os.write(w, b'%d' % os.getpid())
  time.sleep(1000)
child = subprocess.Popen(['/bin/sleep', '1000'])
own = subprocess.Popen(['/bin/sleep', '1000'], start_new_session=True, env={})
await tools.die([os.getpid(), int(os.read(r, 20)), child.pid, own.pid])
`
    const script = (death: string, act: string) => `
const { writeSync } = await import('node:fs')
const die = (pids) => {
  writeSync(1, JSON.stringify(pids))
  ${death}
}
const runtime = await createCodeRuntime(${JSON.stringify(python)})
await runtime.run({ program: 'return 1' })
await runtime.run({ program: ${JSON.stringify(DAEMON + act)}, bindings: [{ global: 'tools', functions: { die } }] })`

    test.each([
      ['by SIGKILL while the guest waits', `process.kill(process.pid, 'SIGKILL')`, 'time.sleep(1000)'],
      [
        'by SIGKILL while the guest computes',
        `setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100)`,
        'while True: pass',
      ],
      ['by SIGTERM', `process.kill(process.pid, 'SIGTERM')`, 'while True: pass'],
      ['by process.exit', 'process.exit(5)', 'while True: pass'],
      [
        'by an exception',
        `process.removeAllListeners('uncaughtException'); setImmediate(() => { throw new Error('dead') })`,
        'time.sleep(1000)',
      ],
    ])('%s', async (_title, death, act) => {
      const hostTemp = join(temp.path, 'host')
      mkdirSync(hostTemp)
      const { stdout, stderr } = await host(script(death, act), { env: { TMPDIR: hostTemp } })
      expect(stdout, stderr).toMatch(/^\[\d+(,\d+){3}\]$/)
      await allGone(JSON.parse(stdout) as number[])
      await until(() => readdirSync(hostTemp).length === 0, 'no file is left')
      rmdirSync(hostTemp)
    })
  })

  test('a host that disposes keeps no child, zombie, timer, listener or file', async () => {
    const { code, stdout, stderr } = await host(`
const { readdirSync, readFileSync } = await import('node:fs')
const children = () => readdirSync('/proc').filter((pid) => { try { return readFileSync('/proc/' + pid + '/stat', 'latin1').split(') ')[1]?.split(' ')[1] === String(process.pid) } catch { return false } })
const state = () => [children(), process.getActiveResourcesInfo().toSorted(), process.eventNames().map((name) => [name, process.listenerCount(name)])]
say([process.stdout, process.stderr].length)
await new Promise((resolve) => setTimeout(resolve, 20))
const before = state()
for (let round = 0; round < 2; round += 1) {
  const runtime = await createCodeRuntime({ ...${JSON.stringify(python)}, limits: { graceMs: 200, maxWallMs: 700 } })
  const programs = ['return 1', 'import time\\ntime.sleep(60)', 'import os\\nos._exit(1)', 'import subprocess\\nsubprocess.Popen(["sleep", "100"])\\nreturn 1', 'while True: pass', 'import os\\nos.kill(os.getpid(), 9)']
  await Promise.all(programs.map((program) => runtime.run({ program })))
  const last = runtime.run({ program: 'import time\\ntime.sleep(60)' })
  await new Promise((resolve) => setTimeout(resolve, 30))
  await runtime.dispose()
  await last
}
await new Promise((resolve) => setImmediate(resolve))
say(before)
say(state())`)
    const [, before, after] = stdout.split('\n')
    expect([code, after, stderr]).toEqual([0, before, ''])
  })

  test('a host that does not dispose is not kept from its end', async () => {
    const { code, stdout } = await host(
      `
const runtime = await createCodeRuntime(${JSON.stringify(python)})
say((await runtime.run({ program: 'return 1' })).value)`,
      { deadlineMs: 20_000 },
    )
    expect([code, stdout]).toEqual([0, '1\n'])
  })

  test('a keeper that a program has killed or stopped keeps nobody', async () => {
    const own = await createCodeRuntime({ ...python, limits: { graceMs: 300 } })
    const strike = (name: string) => `import os, signal, glob
keepers = []
for path in glob.glob('/proc/[0-9]*/stat'):
  try: stat = open(path).read()
  except OSError: continue
  pid, fields = int(stat.split()[0]), stat.rpartition(')')[2].split()
  try: command = open(f'/proc/{pid}/cmdline').read()
  except OSError: continue
  if fields[1] == '${process.pid}' and 'keeper.py' in command: keepers.append((int(fields[19]), pid))
mine = max(keepers)[1]
os.kill(mine, signal.${name})
return mine`
    const killed = (await own.run({ program: strike('SIGKILL') })).value as number
    await until(() => !existsSync(`/proc/${killed}`), 'the host has heard of it')
    const stopped = (await own.run({ program: strike('SIGSTOP') })).value as number
    expect([killed === stopped, isAlive(stopped)]).toEqual([false, true])
    await own.dispose()
    await allGone([killed, stopped])
  })

  describe('without /proc', () => {
    const processControl = new NodeProcessControl(new ProcFiles('/no/such/folder'))
    const limits = { graceMs: 300, maxWallMs: 2_000 }

    test('a program runs, and what is not known is null', async () => {
      const { value, usage } = await runPython('return 1', { ...python, adapters: { processControl } })
      expect([value, usage.cpuMs, usage.peakMemoryBytes]).toEqual([1, null, null])
    })

    test.each([
      ['completes', 'return 1', undefined],
      ['leaves', 'os._exit(3)', 'worker-exit'],
      ['takes too long', 'time.sleep(60)', 'timeout'],
      ['is deaf', 'signal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(60)', 'timeout'],
    ])('the group of a guest that %s is ended, the deaf too', async (_title, act, kind) => {
      const pids: number[] = []
      const note = (left: number[]) => {
        pids.push(...left)
        return null
      }
      const program = `import os, signal, time
def fork(act):
  pid = os.fork()
  if pid: return pid
  act()
  time.sleep(1000)
left = [fork(lambda: None), fork(lambda: signal.signal(signal.SIGTERM, signal.SIG_IGN))]
await tools.note(left)
${act}`
      const { error } = await runPython(
        program,
        { ...python, limits, adapters: { processControl } },
        { tools: { note } as never },
      )
      expect([error?.kind, pids.length]).toEqual([kind, 2])
      await allGone(pids)
    })

    test('CPU time is bounded for each process', async () => {
      const program = 'while True: pass'
      const { error } = await runPython(program, { ...python, limits: { cpuSeconds: 1 }, adapters: { processControl } })
      expect(error).toEqual({ kind: 'timeout', message: expect.stringMatching(/^CPU time exhausted/) })
    })
  })
})
