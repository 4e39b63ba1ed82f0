import { expect, test } from 'vitest'
import type { CallAnswer } from '../../src/domain/call-table.js'
import { encodeReply } from '../../src/domain/reply.js'
import { UNREADABLE } from '../../src/domain/text.js'
import { codec } from '../support/codec.js'
import { withGetters, withThrowingGetter } from '../support/getters.js'

const encode = (answer: CallAnswer) => {
  const { text, ...end } = encodeReply(7, answer, codec)
  return { frame: JSON.parse(text) as Record<string, unknown>, end }
}
const resolved = (value: unknown) => encode({ ok: true, value })
const rejected = (thrown: unknown) => encode({ ok: false, thrown })

test.each([
  [null, 4],
  [{ city: 'Oslo' }, 15],
  ['é😀', 8],
  [[1.5, true], 10],
  [Object.assign(Object.create(null), { a: 1 }), 7],
])('the resolution %j crosses, and its bytes are told', (value, replyBytes) => {
  const { frame, end } = resolved(value)
  expect(frame).toEqual({ type: 'reply', id: 7, ok: true, value })
  expect(end).toStrictEqual({ state: 'succeeded', replyBytes })
})

test.each([
  ['an error', new Error('denied'), 'denied'],
  ['a string', 'bare', 'bare'],
  ['an error without a message', new Error(), ''],
  ['nothing', undefined, 'undefined'],
  ['an unconvertible object', Object.create(null), UNREADABLE],
  ['an error of two bytes a letter', new Error('é'), 'é'],
])('a rejection with %s is a failure with its text', (_what, thrown, message) => {
  const { frame, end } = rejected(thrown)
  expect(frame).toEqual({ type: 'reply', id: 7, ok: false, message })
  expect(end).toStrictEqual({ state: 'failed', replyBytes: Buffer.byteLength(JSON.stringify(message)), error: message })
})

test.each([
  ['undefined', undefined],
  ['a function', () => {}],
  ['NaN', Number.NaN],
  ['negative zero', -0],
  ['a bigint', 1n],
  ['a date', new Date(0)],
  ['a map', new Map()],
  ['an undefined member', { n: undefined }],
  ['a getter that throws', withThrowingGetter('rows', new Error('from the getter'))],
  ['an own toJSON', { toJSON: () => 'other' }],
])('a resolution with %s is a failure that says so', (_what, value) => {
  const { frame, end } = resolved(value)
  expect(frame).toEqual({ type: 'reply', id: 7, ok: false, message: expect.stringMatching(/lossless JSON/) })
  expect(end).toMatchObject({ state: 'failed', error: frame['message'] })
})

test('a failure names the place of what cannot cross', () => {
  expect(resolved({ rows: [1, { when: new Date(0) }] }).frame['message']).toContain('$.rows[1].when')
})

test('a text that is too long for a frame is a failure all the same', () => {
  const engine = { ...codec, encode: () => ({ ok: false, kind: 'over-budget' }) as const }
  for (const answer of [
    { ok: false, thrown: 'a text' },
    { ok: true, value: 'a text' },
  ] as const) {
    const { text, state } = encodeReply(7, answer, engine)
    expect(state).toBe('failed')
    expect(JSON.parse(text)).toMatchObject({ type: 'reply', id: 7, ok: false, message: expect.any(String) })
  }
})

test('each slot of a resolution is read once', () => {
  const { object, reads } = withGetters({ a: 1, b: [2] })
  expect(resolved(object).frame['value']).toEqual({ a: 1, b: [2] })
  expect(reads).toEqual(['a', 'b'])
})
