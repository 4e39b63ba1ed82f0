import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkGuestFrame } from '../../src/domain/frame-check.js'
import { holds } from '../support/property.js'

const EXTRA = { extra: 'field', ok: true, program: 'x' }
const CALL = { type: 'call', id: 0, global: 'tools', name: 'echo', args: null }
const LOG = { type: 'log', text: 'hello' }
const ERROR = { kind: 'exception', message: 'boom' }

test.each<[string, object]>([
  ['boot-ack', { type: 'boot-ack' }],
  ['call', CALL],
  ['call with a large id', { ...CALL, id: 2 ** 53 }],
  ['call with a fraction for an id', { ...CALL, id: 0.5 }],
  ['call with arguments', { ...CALL, args: { x: [1, 'a', null, true, { y: 2.5 }] } }],
  ['call with names of no identifier', { ...CALL, global: '', name: '__proto__' }],
  ['log', LOG],
  ['log of an empty text', { type: 'log', text: '' }],
  ['log of stderr', { ...LOG, stream: 'stderr' }],
  ['open log', { ...LOG, stream: 'stdout', open: true }],
  ['truncated log', { ...LOG, truncated: true }],
  ['done', { type: 'done' }],
  ['done with null', { type: 'done', value: null }],
  ['done with a value', { type: 'done', value: { a: [1] } }],
  ['done with an exception', { type: 'done', error: ERROR }],
  ['done with an invalid output', { type: 'done', error: { kind: 'invalid-output', message: '' } }],
  ['done over a limit', { type: 'done', error: { kind: 'output-limit', message: 'x' } }],
  ['done with value and error', { type: 'done', value: 1, error: ERROR }],
])('a %s is rebuilt without what does not belong to it', (_what, frame) => {
  expect(checkGuestFrame({ ...frame, ...EXTRA })).toStrictEqual(frame)
})

test('a rebuilt frame is another object, and so is its error', () => {
  const frame = { type: 'done', error: { ...ERROR, stack: 'extra' } }
  const checked = checkGuestFrame(frame)
  expect(checked).not.toBe(frame)
  expect(checked).toStrictEqual({ type: 'done', error: ERROR })
})

test.each([1, 'yes', 'true', false, null, {}, [true]])('%j for open or truncated does not count as true', (flag) => {
  expect(checkGuestFrame({ ...LOG, open: flag, truncated: flag })).toStrictEqual(LOG)
})

const without = (frame: object, name: string): object =>
  Object.fromEntries(Object.entries(frame).filter(([key]) => key !== name))

test.each<[string, unknown]>([
  ['null', null],
  ['nothing', undefined],
  ['a number', 7],
  ['a string', 'boot-ack'],
  ['a boolean', true],
  ['an array', ['boot-ack']],
  ['an empty object', {}],
  ['an unknown type', { type: 'shutdown' }],
  ['a host frame', { type: 'run', program: 'x' }],
  ['a reply', { type: 'reply', id: 0, ok: true, value: 1 }],
  ['a type that is no string', { type: ['boot-ack'] }],
  ['an inherited type', Object.create({ type: 'boot-ack' })],
  ['a call without an id', without(CALL, 'id')],
  ['a call without a global', without(CALL, 'global')],
  ['a call without a name', without(CALL, 'name')],
  ['a call without args', without(CALL, 'args')],
  ['a call with a string id', { ...CALL, id: '0' }],
  ['a call with an infinite id', { ...CALL, id: Number.POSITIVE_INFINITY }],
  ['a call with NaN for an id', { ...CALL, id: Number.NaN }],
  ['a call with negative zero for an id', { ...CALL, id: -0 }],
  ['a call with a numeric global', { ...CALL, global: 7 }],
  ['a call with a numeric name', { ...CALL, name: 7 }],
  ['a call with an infinity in its args', { ...CALL, args: [1, { x: Number.POSITIVE_INFINITY }] }],
  ['a call with a negative infinity for args', { ...CALL, args: Number.NEGATIVE_INFINITY }],
  ['a call with negative zero in its args', { ...CALL, args: { rows: [1, -0] } }],
  ['a call with an inherited name', Object.assign(Object.create({ name: 'echo' }), without(CALL, 'name'))],
  ['a log without a text', without(LOG, 'text')],
  ['a log with a numeric text', { ...LOG, text: 7 }],
  ['a log of an unknown stream', { ...LOG, stream: 'stdin' }],
  ['a log with a null stream', { ...LOG, stream: null }],
  ['a done with a numeric message', { type: 'done', error: { kind: 'exception', message: 7 } }],
  ['a done with an invented kind', { type: 'done', error: { kind: 'timeout', message: 'x' } }],
  ['a done with a kind of the host', { type: 'done', error: { kind: 'worker-exit', message: 'x' } }],
  ['a done with an error without a message', { type: 'done', error: { kind: 'exception' } }],
  ['a done with an error without a kind', { type: 'done', error: { message: 'x' } }],
  ['a done with a null error', { type: 'done', error: null }],
  ['a done with a text for an error', { type: 'done', error: 'boom' }],
  ['a done with a value and a bad error', { type: 'done', value: 1, error: {} }],
])('%s is dropped whole', (_what, frame) => {
  expect(checkGuestFrame(frame)).toBeUndefined()
})

test('a completion passes unscanned: its numbers are checked with its size', () => {
  expect(checkGuestFrame({ type: 'done', value: [Number.POSITIVE_INFINITY] })).toStrictEqual({
    type: 'done',
    value: [Number.POSITIVE_INFINITY],
  })
})

test('no value makes the check throw, and what it lets through is a frame of ours', () => {
  const type = fc.constantFrom('boot-ack', 'call', 'log', 'done', 'run')
  const field = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom<unknown>(ERROR, 'stdout', true, 0))
  const names = ['id', 'global', 'name', 'args', 'text', 'stream', 'open', 'truncated', 'value', 'error']
  const frame = fc
    .tuple(type, fc.dictionary(fc.constantFrom(...names), field))
    .map(([type, fields]) => ({ ...fields, type }))
  holds(
    fc.property(fc.oneof(frame, fc.jsonValue()), (sent) => {
      const checked = checkGuestFrame(sent)
      if (checked !== undefined) expect(sent).toMatchObject(checked)
    }),
  )
})
