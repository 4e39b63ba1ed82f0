import { describe, expect, test } from 'vitest'
import { useOwnTemp } from '../support/processes.js'
import { onEveryPython, usePython } from '../support/python.js'

useOwnTemp()
/** The kernel tells user and system time, each in whole ticks of 10 ms. */
const TICKS_MS = 2 * 10
const SPIN = 'while True: pass'
const PRELUDE = `import os, signal, subprocess, sys, time\n`
const BURN = (seconds: number) => `end = time.process_time() + ${seconds}\nwhile time.process_time() < end: pass`

onEveryPython((python) => {
  const run = usePython({ ...python, limits: { cpuSeconds: 1, maxWallMs: 20_000, graceMs: 300 } })
  const runUsual = usePython({ ...python, limits: { maxWallMs: 20_000, graceMs: 300 } })

  describe('CPU time is exhausted by', () => {
    test.each([
      ['the program', SPIN],
      ['a program that traps SIGXCPU', `signal.signal(signal.SIGXCPU, signal.SIG_IGN)\n${SPIN}`],
      ['a program that blocks it', `signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\n${SPIN}`],
      [
        'threads',
        `import threading\nfor _ in range(4): threading.Thread(target=lambda: exec(${JSON.stringify(SPIN)}), daemon=True).start()\ntime.sleep(60)`,
      ],
      // Each of them meets the limit that it inherited.
      [
        'children, one after the other',
        `for _ in range(2): subprocess.run([sys.executable, '-c', ${JSON.stringify(SPIN)}])\ntime.sleep(60)`,
      ],
      [
        'children of half a budget each',
        `children = [subprocess.Popen([sys.executable, '-S', '-c', ${JSON.stringify(`import time\n${BURN(0.7)}\ntime.sleep(60)`)}]) for _ in range(2)]\ntime.sleep(60)`,
      ],
      [
        'children that nobody waits for',
        `for _ in range(2):\n  if not os.fork():\n    ${BURN(0.7).replaceAll('\n', '\n    ')}\n    os._exit(0)\ntime.sleep(60)`,
      ],
      [
        'children in sessions of their own',
        `for _ in range(2): subprocess.Popen([sys.executable, '-S', '-c', ${JSON.stringify(`import time\n${BURN(0.7)}\ntime.sleep(60)`)}], start_new_session=True, env={})\ntime.sleep(60)`,
      ],
      [
        'short children, one after the other, that nobody waits for',
        `signal.signal(signal.SIGCHLD, signal.SIG_IGN)\nwhile True:\n  if not os.fork():\n    ${BURN(0.3).replaceAll('\n', '\n    ')}\n    os._exit(0)\n  time.sleep(0.3)`,
      ],
      [
        'a daemon',
        `if not os.fork():\n  os.setsid()\n  if os.fork(): os._exit(0)\n  for _ in range(2):\n    if not os.fork(): break\n  ${BURN(0.7).replaceAll('\n', '\n  ')}\n  time.sleep(60)\ntime.sleep(60)`,
      ],
    ])('%s', async (_title, act) => {
      const { error, usage } = await run(`${PRELUDE}${act}`)
      expect([error?.kind, error?.message]).toEqual([
        'timeout',
        expect.stringMatching(/^CPU time exhausted.* 1 s .*cpuSeconds/),
      ])
      // The kernel's limit counts a tick for whoever runs when it comes; the account is exact.
      expect(usage.cpuMs).toBeGreaterThanOrEqual(700)
      expect(usage.cpuMs).toBeLessThan(4_000)
      expect(usage.wallMs).toBeLessThan(15_000)
    })
  })

  describe('CPU time is not exhausted by', () => {
    test('waiting', async () => {
      expect(await run(`${PRELUDE}time.sleep(1.5)\nreturn 1`)).toMatchObject({ value: 1 })
    })

    test('less than the budget', async () => {
      const { value, usage } = await run(`${PRELUDE}${BURN(0.4)}\nreturn 1`)
      expect(value).toBe(1)
      expect(usage.cpuMs).toBeGreaterThan(400 - TICKS_MS)
      expect(usage.cpuMs).toBeLessThan(900)
    })

    test.each([
      ['SIGKILL', 'os.kill(os.getpid(), signal.SIGKILL)'],
      ['SIGTERM', 'os.kill(os.getpid(), signal.SIGTERM)'],
      ['SIGABRT', 'os.abort()'],
    ])('an unsolicited %s, which the run is ended by', async (signal, act) => {
      const { error } = await runUsual(`${PRELUDE}${act}`)
      expect(error).toEqual({ kind: 'worker-exit', message: `the guest was killed by ${signal} before completing` })
    })
  })

  describe('usage', () => {
    test('tells the CPU time of children that were waited for', async () => {
      const { usage } = await runUsual(
        `${PRELUDE}subprocess.run([sys.executable, '-S', '-c', ${JSON.stringify(`import time\n${BURN(0.3)}`)}])\nreturn 1`,
      )
      expect(usage.cpuMs).toBeGreaterThanOrEqual(300)
      expect(usage.cpuMs).toBeLessThan(2_000)
    })

    test.each([
      ['left by itself', 'os._exit(3)'],
      ['was killed', 'os.kill(os.getpid(), 9)'],
    ])('tells the CPU time of a guest that %s', async (_title, act) => {
      const { usage } = await runUsual(`${PRELUDE}${BURN(0.1)}\n${act}`)
      expect(usage.cpuMs).toBeGreaterThan(100 - TICKS_MS)
      expect(usage.cpuMs).toBeLessThan(1_000)
    })

    test('tells peak memory', async () => {
      const { usage } = await runUsual(
        `${PRELUDE}x = bytearray(100 << 20)\nfor i in range(0, len(x), 4096): x[i] = 1\ndel x\ntime.sleep(0.3)\nreturn 1`,
      )
      expect(usage.peakMemoryBytes).toBeGreaterThan(100 * 2 ** 20)
      expect(usage.peakMemoryBytes).toBeLessThan(160 * 2 ** 20)
    })
  })
})
