import { expect, test } from 'vitest'
import type { ProcessExit } from '../../src/index.js'
import { FakeProcessControl } from '../../src/testing.js'

const COMMAND = { file: 'python3', args: ['-I'], env: {}, cwd: '/', frameCapBytes: 100 }

const spawned = (control = new FakeProcessControl()) => {
  const process = control.spawn(COMMAND)
  const heard: (ProcessExit | 'closed')[] = []
  process.onExit((exit) => heard.push(exit))
  process.onClose(() => heard.push('closed'))
  return { control, process, heard, identity: process.identity! }
}

test('every process has an identity of its own, and what it was started with', () => {
  const { control, process } = spawned()
  const other = control.spawn(COMMAND)
  expect(process.command).toBe(COMMAND)
  expect(process.identity).toBeDefined()
  expect(process.identity).not.toEqual(other.identity)
  expect(control.processes).toEqual([process, other])
})

test('a process exits once, and its streams close with it', () => {
  const { process, heard } = spawned()
  process.exit({ code: 7, signal: null })
  process.exit({ code: 8, signal: null })
  process.close()
  expect(heard).toEqual([{ code: 7, signal: null }, 'closed'])
})

test('a process whose leftovers hold its pipes closes later', () => {
  const { process, heard } = spawned()
  process.exit({ code: 0, signal: null }, { holdsPipes: true })
  expect(heard).toEqual([{ code: 0, signal: null }])
  process.close()
  expect(heard).toEqual([{ code: 0, signal: null }, 'closed'])
})

test('who listens late hears of the end all the same', () => {
  const control = new FakeProcessControl()
  const process = control.spawn(COMMAND)
  process.exit({ code: 0, signal: null })
  const heard: unknown[] = []
  process.onExit((exit) => heard.push(exit))
  process.onClose(() => heard.push('closed'))
  expect(heard).toEqual([{ code: 0, signal: null }, 'closed'])
})

test('a deadly signal ends a process, another is noted', () => {
  const { control, process, heard, identity } = spawned()
  control.deadlySignals = ['SIGKILL']
  expect(control.signalGroup(identity, 'SIGTERM')).toBe(true)
  expect(heard).toEqual([])
  expect(control.signalGroup(identity, 'SIGKILL')).toBe(true)
  expect(heard).toEqual([{ code: null, signal: 'SIGKILL' }, 'closed'])
  expect(process.signals).toEqual(['SIGTERM', 'SIGKILL'])
})

test('a group that is not there is not signalled', () => {
  const control = new FakeProcessControl()
  expect(control.signalGroup({ pid: 1, startTime: undefined, mark: '' }, 'SIGKILL')).toBe(false)
})

test('a spawn fails at once or later, as the test says', () => {
  const control = new FakeProcessControl()
  control.spawnFailure = new Error('EMFILE')
  expect(() => control.spawn(COMMAND)).toThrow('EMFILE')
  expect(control.processes).toEqual([])
  control.spawnFailure = undefined
  control.startFailure = new Error('ENOENT')
  const { process, heard } = spawned(control)
  expect(process.identity).toBeUndefined()
  expect(heard).toEqual([{ startFailure: control.startFailure }, 'closed'])
})

test('a script plays every process that starts, and the next one can be waited for', async () => {
  const played: unknown[] = []
  const control = new FakeProcessControl((process) => void played.push(process))
  const next = control.nextProcess()
  const process = control.spawn(COMMAND)
  control.startFailure = new Error('ENOENT')
  control.spawn(COMMAND)
  expect([played, await next, await control.nextProcess(0)]).toEqual([[process], process, process])
})

test('a signal that may not be sent throws', () => {
  const { control, process, identity } = spawned()
  control.signalFailure = new Error('EPERM')
  expect(() => control.signalGroup(identity, 'SIGTERM')).toThrow('EPERM')
  expect(process.signals).toEqual([])
})

test('Python is there, whatever it is called', async () => {
  const { path, guestBytes } = await new FakeProcessControl().interpreter('python9')
  expect([path, guestBytes.length > 0]).toEqual(['python9', true])
})

test('descendants that were ended and what the tree costs are as the test says', async () => {
  const { control, identity } = spawned()
  await control.endDescendants(identity)
  expect(control.endedDescendantsOf).toEqual([identity.pid])
  expect(control.treeUsage()).toEqual({ cpuMs: null, peakMemoryBytes: null })
  control.usage = { cpuMs: 1, peakMemoryBytes: 2 }
  expect(control.treeUsage()).toEqual({ cpuMs: 1, peakMemoryBytes: 2 })
})
