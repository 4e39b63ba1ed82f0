import { expect, test } from 'vitest'
import { FakeGuest } from '../../src/testing.js'

const started = () => {
  const guest = new FakeGuest()
  const heard: unknown[][] = []
  guest.start({
    frame: (...args) => heard.push(['frame', ...args]),
    overflow: (capBytes) => heard.push(['overflow', capBytes]),
    stray: (stream, chunk) => heard.push(['stray', stream, Buffer.from(chunk).toString()]),
    budget: (message) => heard.push(['budget', message]),
    broken: (message) => heard.push(['broken', message]),
    gone: (exit) => heard.push(['gone', exit]),
  })
  return { guest, heard }
}

test('everything that the test plays is heard, in order', () => {
  const { guest, heard } = started()
  guest.transport.receive({ type: 'boot-ack' })
  guest.write('stdout', 'text')
  guest.write('stderr', Uint8Array.of(0x68, 0x69))
  guest.spendBudget('spent')
  guest.breakDown('broken')
  guest.exit({ type: 'exited', code: 7 })
  expect(heard).toEqual([
    ['frame', '{"type":"boot-ack"}', 19],
    ['stray', 'stdout', 'text'],
    ['stray', 'stderr', 'hi'],
    ['budget', 'spent'],
    ['broken', 'broken'],
    ['gone', { type: 'exited', code: 7 }],
  ])
})

test('a guest goes once, and its channel closes with it', () => {
  const { guest, heard } = started()
  guest.exit({ type: 'exited', code: 7 })
  guest.exit({ type: 'killed', signal: 'SIGKILL' })
  expect(heard).toEqual([['gone', { type: 'exited', code: 7 }]])
  expect(guest.transport.isClosed).toBe(true)
})

test('a stopped guest goes, and remembers why it was stopped', () => {
  const { guest, heard } = started()
  guest.stop('timeout')
  guest.stop('abort')
  expect(guest.stopReasons).toEqual(['timeout', 'abort'])
  expect(heard).toEqual([['gone', { type: 'exited', code: 0 }]])
})

test('a guest that does not go when it is stopped goes when the test says so', () => {
  const { guest, heard } = started()
  guest.goesWhenStopped = false
  guest.stop('timeout')
  expect(heard).toEqual([])
  guest.exit({ type: 'killed', signal: 'SIGKILL' })
  expect(heard).toEqual([['gone', { type: 'killed', signal: 'SIGKILL' }]])
})

test('a guest costs what the test says, by default nothing that can be measured', () => {
  const { guest } = started()
  expect(guest.usage()).toEqual({ cpuMs: null, peakMemoryBytes: null })
  guest.measured = { cpuMs: 1, peakMemoryBytes: 2 }
  expect(guest.usage()).toEqual({ cpuMs: 1, peakMemoryBytes: 2 })
})

test('nothing is heard of a guest that was not started', () => {
  const guest = new FakeGuest()
  guest.write('stdout', 'early')
  guest.spendBudget('early')
  guest.breakDown('early')
  guest.exit({ type: 'exited', code: 0 })
  expect(guest.transport.isClosed).toBe(true)
})
