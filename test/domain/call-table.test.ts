import { expect, test } from 'vitest'
import { CallTable, MAX_OUTSTANDING_CALLS, MAX_WAITING_REPLIES } from '../../src/domain/call-table.js'
import type { CallFrame } from '../../src/domain/frame.js'
import { turn } from '../support/turn.js'

const call = (id: number): CallFrame => ({ type: 'call', id, global: 'tools', name: 'echo', args: null })
const ok = { ok: true, value: 1 } as const

const tableWith = (count: number): CallTable => {
  const table = new CallTable()
  for (let id = 0; id < count; id += 1) table.start(call(id), 0, 0)
  return table
}

const answerAll = (table: CallTable, count: number): void => {
  for (let id = 0; id < count; id += 1) table.answer(id, ok, 0)
}

test.each([-1, 1, 0.5, Number.MAX_SAFE_INTEGER])('the first call has id 0, not %d', (id) => {
  expect(new CallTable().isNext(call(id))).toBe(false)
  expect(new CallTable().isNext(call(0))).toBe(true)
})

test('ids are consecutive, whatever was answered', () => {
  const table = tableWith(3)
  table.answer(1, ok, 5)
  table.takeReply()
  expect([0, 2, 3, 4].map((id) => table.isNext(call(id)))).toEqual([false, false, true, false])
  expect(table.count).toBe(3)
})

test('a record tells what the call is, then how it ended', () => {
  const table = new CallTable()
  const started = { id: 0, global: 'tools', name: 'echo', startMs: 10, argsBytes: 4 }
  expect(table.start(call(0), 4, 10)).toEqual({ ...started, state: 'running', durationMs: null, replyBytes: null })
  const ended = { ...started, state: 'failed', durationMs: 15, replyBytes: 3, error: 'bad' }
  expect(table.finish(0, { state: 'failed', atMs: 25, replyBytes: 3, error: 'bad' })).toEqual(ended)
  expect(table.records).toEqual([ended])
})

test('a call that succeeded has no error key', () => {
  const table = tableWith(1)
  expect(table.finish(0, { state: 'succeeded', atMs: 0, replyBytes: 1 })).not.toHaveProperty('error')
})

test('replies are taken in the order in which they were answered', () => {
  const table = tableWith(3)
  for (const id of [2, 0, 1]) table.answer(id, ok, id)
  expect([0, 1, 2].map(() => table.takeReply()?.id)).toEqual([2, 0, 1])
  expect(table.takeReply()).toBeUndefined()
})

test('no reply is lost while thousands come and go', () => {
  const table = new CallTable()
  const taken: unknown[] = []
  for (let id = 0; id < 5_000; id += 1) {
    table.start(call(id), 0, 0)
    table.answer(id, ok, 0)
    if (id % 3 !== 0) taken.push(table.takeReply()?.id)
  }
  for (let reply = table.takeReply(); reply !== undefined; reply = table.takeReply()) taken.push(reply.id)
  expect(taken).toEqual(Array.from({ length: 5_000 }, (_, id) => id))
})

test('1,024 outstanding calls are fine, 1,025 are not', () => {
  expect(MAX_OUTSTANDING_CALLS).toBe(1_024)
  expect(tableWith(1_024).excess).toBeUndefined()
  expect(tableWith(1_025).excess).toBe('call backlog exceeded 1024 outstanding binding calls')
})

test('a call that was answered is outstanding no more', () => {
  const table = tableWith(1_025)
  table.answer(7, ok, 0)
  expect(table.excess).toBeUndefined()
})

test('1,024 waiting replies are fine, 1,025 are not', () => {
  expect(MAX_WAITING_REPLIES).toBe(1_024)
  const table = tableWith(1_025)
  answerAll(table, 1_024)
  expect(table.excess).toBeUndefined()
  table.answer(1_024, ok, 0)
  expect(table.excess).toBe('reply queue exceeded 1024 waiting replies')
  table.takeReply()
  expect(table.excess).toBeUndefined()
})

test('taken replies do not count as waiting', () => {
  const table = tableWith(3_000)
  for (let id = 0; id < 1_500; id += 1) {
    table.answer(id, ok, 0)
    table.takeReply()
  }
  for (let id = 1_500; id < 2_524; id += 1) table.answer(id, ok, 0)
  expect(table.excess).toBeUndefined()
  table.answer(2_524, ok, 0)
  expect(table.excess).toContain('reply queue')
})

test('forgotten replies are neither waiting nor taken', () => {
  const table = tableWith(2_000)
  answerAll(table, 2_000)
  table.forgetReplies()
  expect(table.takeReply()).toBeUndefined()
  expect(table.excess).toBeUndefined()
})

test('a table keeps no value of a reply that was taken', async () => {
  const table = tableWith(1)
  const answered = new WeakRef({ rows: [] })
  table.answer(0, { ok: true, value: answered.deref() }, 0)
  table.takeReply()
  await turn()
  globalThis.gc?.()
  expect(answered.deref()).toBeUndefined()
  expect(table.count).toBe(1)
})
