import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { NodeProcessControl } from '../../src/adapters/process/process-control.js'
import { type CodeRuntime, ConfigurationError, createCodeRuntime } from '../../src/index.js'
import { type FakeProcess, FakeProcessControl } from '../../src/testing.js'
import { until, useOwnTemp } from '../support/processes.js'
import { onEveryPython } from '../support/python.js'
import { canMount, withSmallDisk } from '../support/small-disk.js'
import { turn } from '../support/turn.js'

const temp = useOwnTemp()

const withControl = (processControl: FakeProcessControl): Promise<CodeRuntime> =>
  createCodeRuntime({ language: 'python', warm: 0, adapters: { processControl } })

const firstProcess = async (control: FakeProcessControl): Promise<FakeProcess> => {
  await until(() => control.processes.length > 0, 'a process is started')
  return control.processes[0]!
}

describe('a guest that cannot be staged makes the run end', () => {
  test.each(['/no/such/folder', '/proc'])('under %s', async (path) => {
    const control = new FakeProcessControl()
    await using runtime = await withControl(control)
    process.env['TMPDIR'] = path
    try {
      const { error } = await runtime.run({ program: 'return 1' })
      expect(error).toEqual({ kind: 'worker-exit', message: expect.stringMatching(/the guest failed to start: E/) })
      expect(control.processes).toEqual([])
    } finally {
      process.env['TMPDIR'] = temp.path
    }
  })
})

const mayMount = canMount()

describe.skipIf(!mayMount)(`on a full file system${mayMount ? '' : ' (skipped: none can be mounted here)'}`, () => {
  const onSmallDisk = (bound: string, use: (path: string) => Promise<void>): Promise<void> =>
    withSmallDisk(bound, async (path) => {
      process.env['TMPDIR'] = path
      try {
        await use(path)
      } finally {
        process.env['TMPDIR'] = temp.path
      }
    })

  test('a guest prepared meanwhile is missing, and the run after it is clean', async () => {
    await using runtime = await createCodeRuntime({ language: 'python', warm: 1 })
    await onSmallDisk('size=16k', async (path) => {
      expect((await runtime.run({ program: 'return 1' })).error?.kind).toBe('worker-exit')
      await turn()
      expect(readdirSync(path)).toEqual([])
    })
    expect((await runtime.run({ program: 'return 1' })).value).toBe(1)
  })

  test.each(['size=16k', 'nr_inodes=1'])('%s: a runtime is refused, and nothing is left', async (bound) => {
    await onSmallDisk(bound, async (path) => {
      await expect(createCodeRuntime({ language: 'python', cwd: path })).rejects.toThrow(ConfigurationError)
      expect(readdirSync(path)).toEqual([])
    })
  })
})

describe('the channel', () => {
  test('that throws at the first write makes the boot fail', async () => {
    class Control extends FakeProcessControl {
      override spawn(command: Parameters<FakeProcessControl['spawn']>[0]): FakeProcess {
        const spawned = super.spawn(command)
        spawned.channel.failure = new Error('write EPIPE')
        return spawned
      }
    }
    await using runtime = await withControl(new Control())
    const { error } = await runtime.run({ program: 'return 1' })
    expect(error).toEqual({ kind: 'worker-exit', message: 'the guest failed to boot: write EPIPE' })
  })

  test('that throws at the program makes the boot fail', async () => {
    const control = new FakeProcessControl()
    await using runtime = await withControl(control)
    const result = runtime.run({ program: 'return 1' })
    const { channel } = await firstProcess(control)
    await channel.sentFrame('boot')
    channel.failure = new Error('write EPIPE')
    channel.receive({ type: 'boot-ack' })
    expect((await result).error).toEqual({ kind: 'worker-exit', message: 'the guest failed to boot: write EPIPE' })
  })

  test('carries the program once, after the acknowledgement', async () => {
    const control = new FakeProcessControl()
    await using runtime = await withControl(control)
    const result = runtime.run({ program: 'return 1' })
    const { channel } = await firstProcess(control)
    await turn()
    expect(channel.sent.map(({ type }) => type)).toEqual(['boot'])
    channel.receive({ type: 'boot-ack' })
    channel.receive({ type: 'boot-ack' })
    expect(channel.sent.map(({ type }) => type)).toEqual(['boot', 'run'])
    channel.receive({ type: 'done', value: 5 })
    expect((await result).value).toBe(5)
  })

  test('that is never taken is given up, and nothing is left of the wait', async () => {
    const control = new FakeProcessControl()
    await using runtime = await createCodeRuntime({
      language: 'python',
      warm: 0,
      limits: { maxWallMs: 200 },
      adapters: { processControl: control },
    })
    const result = runtime.run({ program: 'return 1' })
    const { channel } = await firstProcess(control)
    channel.pause()
    channel.receive({ type: 'boot-ack' })
    expect((await result).error?.kind).toBe('timeout')
    expect(channel.isClosed).toBe(true)
  })
})

onEveryPython((python) => {
  describe('no turn lies between the call and the guest', () => {
    test('an abort in the same turn is not missed', async () => {
      await using runtime = await createCodeRuntime(python)
      const controller = new AbortController()
      const result = runtime.run({ program: 'return 1', signal: controller.signal })
      controller.abort('not needed')
      expect((await result).error).toEqual({ kind: 'abort', message: 'not needed' })
    })

    test('a dispose in the same turn ends the run', async () => {
      const runtime = await createCodeRuntime(python)
      const result = runtime.run({ program: 'return 1' })
      await runtime.dispose()
      expect((await result).error).toEqual({ kind: 'abort', message: 'runtime disposed' })
      expect(readdirSync(temp.path)).toEqual([])
      await expect(runtime.run({ program: 'return 1' })).rejects.toThrow(/disposed/)
    })

    test.each([0, 1, 5, 20, 60])('a dispose after %d ms leaves nothing', async (ms) => {
      const runtime = await createCodeRuntime(python)
      const results = Array.from({ length: 4 }, () => runtime.run({ program: 'import time\ntime.sleep(60)' }))
      await new Promise((resolve) => setTimeout(resolve, ms))
      await runtime.dispose()
      expect((await Promise.all(results)).map(({ error }) => error?.kind)).toEqual(['abort', 'abort', 'abort', 'abort'])
      expect(readdirSync(temp.path)).toEqual([])
    })
  })

  test('the working directory is the one at creation', async () => {
    await using runtime = await createCodeRuntime({ ...python, cwd: temp.path })
    expect((await runtime.run({ program: 'import os\nreturn os.getcwd()' })).value).toBe(temp.path)
  })
})

test('a signal aborted before starts no process', async () => {
  class Control extends NodeProcessControl {
    override spawn(): never {
      throw new Error('a process was started')
    }
  }
  await using runtime = await createCodeRuntime({
    language: 'python',
    warm: 0,
    adapters: { processControl: new Control() },
  })
  const result = await runtime.run({ program: 'return 1', signal: AbortSignal.abort('before') })
  expect(result).toMatchObject({ error: { kind: 'abort', message: 'before' }, logs: [] })
})

test('the guest lies in a folder of its own that is gone with the run', async () => {
  await using runtime = await createCodeRuntime({ language: 'python', warm: 0 })
  const program = `path = open('/proc/self/cmdline').read().split(chr(0))[-2]
import os
with open(path, 'w') as file: file.write('broken')
return [path, oct(os.stat(os.path.dirname(path)).st_mode & 0o777), os.path.dirname(os.path.dirname(path))]`
  const paths = async (): Promise<unknown[]> => (await runtime.run({ program })).value as unknown[]
  const [path, mode, root] = await paths()
  expect([path, mode, root]).toEqual([
    expect.stringMatching(/\/code-runtime-run-[^/]+\/guest\.pyc$/),
    '0o700',
    temp.path,
  ])
  expect(readdirSync(temp.path)).toEqual([])
  expect((await paths())[0]).not.toBe(path)
})
