import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseAnswer } from '../../../src/adapters/process/fork/answer.js'
import { NodeForkServer } from '../../../src/adapters/process/fork/fork-server.js'
import { LateTransport } from '../../../src/adapters/process/fork/late-transport.js'
import { Patience } from '../../../src/adapters/process/fork/patience.js'
import type { ControlledProcess, ProcessExit, ProcessIdentity } from '../../../src/index.js'
import { type FakeProcess, FakeProcessControl, FakeTransport } from '../../../src/testing.js'
import { until } from '../../support/processes.js'
import { turn } from '../../support/turn.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fork-server-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

interface Order {
  readonly type: string
  readonly id?: number
}

/** A server whose process is the test. */
const setUp = async (
  socketPath = join(folder, 's'),
  control = new FakeProcessControl(),
  replace?: () => NodeForkServer,
) => {
  const killed: ProcessIdentity[] = []
  const command = { file: 'python3', args: [], env: {}, cwd: '/', socketPath, preload: ['json'] }
  const server = new NodeForkServer(
    { ...command, ...(replace === undefined ? {} : { replace }) },
    {
      spawn: (command) => control.spawn(command),
      identify: (pid, mark) => ({ pid, startTime: 'start', mark }),
      kill: (identity) => {
        killed.push(identity)
        control.signalGroup(identity, 'SIGKILL')
      },
      isAlive: ({ pid }) => pid === process.identity?.pid,
      endDescendants: async () => {},
    },
  )
  const process = control.processes[0] as FakeProcess
  const orders = (): Order[] => process.channel.sentTexts.map((text) => JSON.parse(text) as Order)
  const say = async (...answers: (object | string)[]): Promise<void> => {
    for (const answer of answers) {
      if (typeof answer === 'string') process.channel.receiveText(answer)
      else process.channel.receive(answer as Record<string, unknown>)
    }
    await turn()
  }
  await turn()
  return { server, process, orders, say, killed }
}

const started = async (replace?: () => NodeForkServer) => {
  const all = await setUp(undefined, undefined, replace)
  await until(() => all.orders().length === 1, 'it is told to start')
  await all.say({ type: 'ready' })
  return all
}

const exitOf = (process: ControlledProcess): Promise<ProcessExit> => new Promise((resolve) => process.onExit(resolve))

const endOf = async ({ server, process }: Awaited<ReturnType<typeof setUp>>): Promise<void> => {
  const end = server.end()
  process.exit({ code: 0, signal: null })
  await end
}

describe('orders', () => {
  test('begin with what it listens at and imports, and a fork is asked for when it is ready', async () => {
    const all = await setUp()
    all.server.fork(1_000)
    await until(() => all.orders().length === 1, 'it is told to start')
    expect(all.orders()).toEqual([{ type: 'start', socket: join(folder, 's'), preload: ['json'] }])
    await all.say({ type: 'ready' })
    expect(await all.server.ready).toEqual({ ok: true })
    expect(all.orders().at(-1)).toMatchObject({ type: 'fork', id: 1, mark: expect.stringMatching(/=\d{19}$/) })
    await endOf(all)
  })

  test('for forks are given one at a time, also when one is refused', async () => {
    const all = await started()
    const forks = [1, 2, 3].map(() => all.server.fork(1_000))
    const ids = () => all.orders().flatMap(({ id }) => id ?? [])
    expect(ids()).toEqual([1])
    await all.say({ type: 'forked', id: 1, pid: 11 })
    expect([ids(), forks[0]?.identity?.pid]).toEqual([[1, 2], 11])
    await all.say({ type: 'refused', id: 2, message: 'Resource temporarily unavailable' })
    expect(ids()).toEqual([1, 2, 3])
    expect(await exitOf(forks[1] as ControlledProcess)).toEqual({
      startFailure: new Error('Resource temporarily unavailable'),
    })
    await endOf(all)
  })

  test('signal a fork until it is released, and then no more', async () => {
    const all = await started()
    const fork = all.server.fork(1_000)
    await all.say({ type: 'forked', id: 1, pid: 11 })
    const identity = fork.identity as ProcessIdentity
    expect(all.server.signal(identity, 'SIGTERM')).toBe(true)
    fork.release()
    fork.release()
    expect(all.server.signal(identity, 'SIGKILL')).toBe(false)
    expect(all.server.signal({ ...identity }, 'SIGKILL')).toBeUndefined()
    expect(all.orders().slice(2)).toEqual([
      { type: 'kill', id: 1, signal: 'SIGTERM' },
      { type: 'reap', id: 1 },
    ])
    await endOf(all)
    expect(all.server.signal(identity, 'SIGKILL')).toBeUndefined()
  })
})

test.each<[string, object, ProcessExit]>([
  ['a code, before it was connected', { code: 70 }, { startFailure: new Error('the fork could not reach the host') }],
  ['a signal', { signal: 9 }, { code: null, signal: 'SIGKILL' }],
  ['a signal without a name', { signal: 40 }, { code: null, signal: 'SIG40' as NodeJS.Signals }],
])('the end of a fork is heard: %s', async (_title, how, exit) => {
  const all = await started()
  const fork = all.server.fork(1_000)
  await all.say({ type: 'forked', id: 1, pid: 11 }, { type: 'exited', id: 1, ...how })
  expect(await exitOf(fork)).toEqual(exit)
  await endOf(all)
})

test.each([
  '',
  'nonsense',
  'null',
  '[]',
  '5',
  '{}',
  '{"type":"toString"}',
  '{"type":"__proto__"}',
  '{"type":"failed"}',
  '{"type":"forked","id":1}',
  '{"type":"forked","id":"1","pid":2}',
  '{"type":"refused","id":1}',
  '{"type":"exited"}',
  '{"type":"exited","id":1}',
  '{"type":"exited","id":1,"code":0.5}',
])('%s is no answer', (text) => {
  expect(parseAnswer(text)).toBeUndefined()
})

test('answers about forks that are not there are ignored', async () => {
  const all = await started()
  await all.say('nonsense', { type: 'forked', id: 9, pid: 1 }, { type: 'exited', id: 9, code: 0 })
  await all.say({ type: 'refused', id: 9, message: 'x' }, { type: 'reaped', id: 9 })
  expect(all.server.isAlive).toBe(true)
  await endOf(all)
})

describe('a server that dies', () => {
  test('takes its forks along: those that wait never start, those that run are killed', async () => {
    const all = await started()
    const [running, asked, waiting] = [1, 2, 3].map(() => all.server.fork(1_000)) as [
      ControlledProcess,
      ControlledProcess,
      ControlledProcess,
    ]
    await all.say({ type: 'forked', id: 1, pid: 11 })
    all.process.exit({ code: null, signal: 'SIGKILL' })
    const death = 'the fork server was killed by SIGKILL'
    expect(await Promise.all([running, asked, waiting].map(exitOf))).toEqual([
      { lost: death },
      { startFailure: new Error(death) },
      { startFailure: new Error(death) },
    ])
    expect([all.killed.map(({ pid }) => pid), all.server.isAlive]).toEqual([[11], false])
    expect(await exitOf(all.server.fork(1_000))).toEqual({ startFailure: new Error(death) })
    for (const each of [running, asked, waiting]) each.channel.close()
    await all.server.gone
  })

  test('leaves what it had not made to the next one, but not without end', async () => {
    const servers = [await started()]
    for (let more = 0; more < 2; more += 1) {
      const last = servers[0] as Awaited<ReturnType<typeof started>>
      servers.unshift(await started(() => last.server))
    }
    const [first, second, third] = servers as [(typeof servers)[0], (typeof servers)[0], (typeof servers)[0]]
    const forks = [1, 2].map(() => first.server.fork(1_000)) as [ControlledProcess, ControlledProcess]
    first.process.exit({ code: null, signal: 'SIGKILL' })
    await first.server.gone
    expect(second.orders().at(-1)).toMatchObject({ type: 'fork', id: 1 })
    expect([first.process.isRef, second.process.isRef]).toEqual([true, true])
    await second.say({ type: 'forked', id: 1, pid: 21 })
    expect(forks.map(({ identity }) => identity?.pid)).toEqual([21, undefined])
    second.process.exit({ code: null, signal: 'SIGKILL' })
    expect(await exitOf(forks[0])).toEqual({ lost: 'the fork server was killed by SIGKILL' })
    await until(() => third.orders().length === 2, 'the third is asked for the other one')
    third.process.exit({ code: 1, signal: null })
    expect(await exitOf(forks[1])).toEqual({ startFailure: new Error('the fork server exited with code 1') })
    for (const { channel } of forks) channel.close()
    await Promise.all([second.server.gone, third.server.gone])
  })

  test('while no other can be started fails them', async () => {
    const all = await started(() => {
      throw new Error('EMFILE')
    })
    const fork = all.server.fork(1_000)
    all.process.exit({ code: null, signal: 'SIGKILL' })
    expect(await exitOf(fork)).toEqual({ startFailure: new Error('the fork server was killed by SIGKILL') })
    fork.channel.close()
    await all.server.gone
  })

  test.each<[string, ProcessExit, string]>([
    ['by itself', { code: 3, signal: null }, 'the fork server exited with code 3 before it was ready: last words'],
    ['lost', { lost: 'x' }, 'the fork server was lost: x before it was ready: last words'],
  ])('before it is ready says so: %s', async (_title, exit, message) => {
    const all = await setUp()
    all.process.stderr.write('last words')
    await turn()
    all.process.exit(exit)
    expect(await all.server.ready).toEqual({ ok: false, message })
    await all.server.gone
  })

  test('because it could not be started says so', async () => {
    const control = new FakeProcessControl()
    control.startFailure = new Error('spawn python3 ENOENT')
    const { server } = await setUp(undefined, control)
    expect(await server.ready).toEqual({
      ok: false,
      message: 'the fork server could not be started: spawn python3 ENOENT before it was ready',
    })
    await server.gone
  })
})

test('a server whose socket cannot be is given up', async () => {
  writeFileSync(join(folder, 'file'), '')
  const { server, killed } = await setUp(join(folder, 'file', 's'))
  expect(await server.ready).toMatchObject({ ok: false, message: expect.stringMatching(/EEXIST|ENOTDIR/) })
  await server.gone
  expect(killed).toHaveLength(1)
})

test('a server that is not answered about in time is killed', async () => {
  let isLost = false
  const patience = new Patience(20, () => {
    isLost = true
  })
  patience.asked()
  patience.asked()
  patience.answered()
  await until(() => isLost, 'the second answer is missed')
  patience.end()
})

test('who answers in time is never given up', async () => {
  const lost: string[] = []
  const patience = new Patience(5, () => lost.push('lost'))
  patience.asked()
  // The timer is due when the turn ends, the answer is read in the next one.
  const untilMs = performance.now() + 20
  while (performance.now() < untilMs);
  const other = new Patience(5, () => lost.push('the other one'))
  other.asked()
  patience.answered()
  await until(() => lost.length > 0, 'the other one is lost')
  expect(lost).toEqual(['the other one'])
})

test('a server keeps the host alive while somebody needs it', async () => {
  const all = await started()
  expect(all.process.isRef).toBe(false)
  const fork = all.server.fork(1_000)
  expect(all.process.isRef).toBe(true)
  fork.unref()
  fork.unref()
  expect(all.process.isRef).toBe(false)
  fork.ref()
  expect(all.process.isRef).toBe(true)
  await all.say({ type: 'forked', id: 1, pid: 11 }, { type: 'exited', id: 1, signal: 9 })
  const closed = new Promise<void>((resolve) => fork.onClose(resolve))
  fork.channel.close()
  fork.stdout.destroy()
  fork.stderr.destroy()
  await closed
  await turn()
  expect(all.process.isRef).toBe(false)
  await endOf(all)
})

describe('a transport that is connected later', () => {
  const setUpLate = () => {
    const heard: string[] = []
    const late = new LateTransport(() => heard.push('closed unused'))
    return { late, heard, transport: new FakeTransport() }
  }

  test('sends and hears then what came before', () => {
    const { late, heard, transport } = setUpLate()
    late.open({ frame: (text) => heard.push(text), overflow: () => {} })
    late.send('one', () => heard.push('sent one'))
    expect(heard).toEqual([])
    late.attach(transport)
    late.send('two', () => heard.push('sent two'))
    transport.receiveText('in')
    expect([transport.sentTexts, heard]).toEqual([
      ['one', 'two'],
      ['sent one', 'sent two', 'in'],
    ])
    late.close()
    expect([transport.isClosed, heard.length]).toEqual([true, 3])
  })

  test('that was closed before is closed when it comes', () => {
    const { late, heard, transport } = setUpLate()
    late.send('one', () => heard.push('sent'))
    late.close()
    late.send('two', () => heard.push('sent'))
    late.attach(transport)
    expect([transport.isClosed, transport.sentTexts, heard]).toEqual([true, [], ['closed unused']])
  })

  test('may be opened after it was connected', () => {
    const { late, heard, transport } = setUpLate()
    late.attach(transport)
    late.open({ frame: (text) => heard.push(text), overflow: () => {} })
    transport.receiveText('in')
    expect(heard).toEqual(['in'])
  })
})
