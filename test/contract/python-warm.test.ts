import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type CodeRuntime, createCodeRuntime } from '../../src/index.js'
import { until } from '../support/processes.js'
import { onEveryPython } from '../support/python.js'
import { RecordingControl } from '../support/recording-control.js'

const realPython = () =>
  execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim()

const PID = 'import os\nprint("used" in globals())\nused = True\nreturn os.getpid()'

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const pidOf = async (runtime: CodeRuntime): Promise<number> => {
  const { value, logs, error } = await runtime.run({ program: PID })
  expect(error).toBeUndefined()
  expect(logs).toEqual(['False'])
  return value as number
}

onEveryPython((python) => {
  test.each([0, 1, 3])('with %i prepared interpreters each run has one of its own', async (warm) => {
    await using runtime = await createCodeRuntime({ ...python, warm })
    const pids: number[] = []
    for (let run = 0; run < 5; run += 1) pids.push(await pidOf(runtime))
    expect(new Set(pids).size).toBe(5)
  })

  test('a run spends none of its budgets on the time that its interpreter waited', async () => {
    await using runtime = await createCodeRuntime({ ...python, warm: 1, limits: { maxWallMs: 60_000 } })
    await pidOf(runtime)
    const startedAtMs = performance.now()
    const { usage } = await runtime.run({ program: 'return 1' })
    expect(usage.wallMs).toBeLessThanOrEqual(performance.now() - startedAtMs)
    expect(usage.cpuMs).toBeGreaterThanOrEqual(0)
  })
})

test('a prepared interpreter whose file was replaced since is not used', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'replaced-'))
  try {
    const pythonBin = join(folder, 'python')
    const write = (text: string) => writeFileSync(pythonBin, `#!/bin/sh\n${text}exec '${realPython()}' "$@"\n`)
    write('')
    chmodSync(pythonBin, 0o755)
    const processControl = new RecordingControl()
    await using runtime = await createCodeRuntime({ language: 'python', pythonBin, adapters: { processControl } })
    await pidOf(runtime)
    await until(() => processControl.pids.length === 2, 'one is prepared')
    write('ulimit -n 77\n')
    const { value } = await runtime.run({
      program: 'import resource\nreturn resource.getrlimit(resource.RLIMIT_NOFILE)[0]',
    })
    expect(value).toBe(77)
    await until(() => !isAlive(processControl.pids[1] as number), 'the old one is gone')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a prepared interpreter that was killed harms no run', async () => {
  const processControl = new RecordingControl()
  await using runtime = await createCodeRuntime({ language: 'python', warm: 1, adapters: { processControl } })
  const first = await pidOf(runtime)
  await until(() => processControl.pids.length === 2, 'one is prepared')
  const prepared = processControl.pids[1] as number
  process.kill(prepared, 'SIGKILL')
  await until(() => !isAlive(prepared), 'it is gone')
  expect([first, prepared]).not.toContain(await pidOf(runtime))
})

test('dispose ends the prepared ones', async () => {
  const processControl = new RecordingControl()
  const runtime = await createCodeRuntime({ language: 'python', warm: 2, adapters: { processControl } })
  await pidOf(runtime)
  await until(() => processControl.pids.length === 3, 'two are prepared')
  await runtime.dispose()
  expect(processControl.pids.filter(isAlive)).toEqual([])
})
