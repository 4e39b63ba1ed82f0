import { expect, test } from 'vitest'
import { checkCompletion, LOSSLESS_COMPLETION, outputLimitMessage } from '../../src/domain/completion-check.js'
import { capDiagnostic, TRUNCATED_SUFFIX } from '../../src/domain/diagnostic.js'
import type { DoneFrame } from '../../src/domain/frame.js'
import type { JsonValue } from '../../src/domain/json/value.js'
import { codec } from '../support/codec.js'

const check = (done: Omit<DoneFrame, 'type'>, maxValueBytes = 1_000) =>
  checkCompletion({ type: 'done', ...done }, codec, maxValueBytes)
const OUTPUT_LIMIT = { error: { kind: 'output-limit', message: expect.any(String) } }

test.each<[JsonValue]>([[null], [0], [''], [false], [[]], [{ a: [1, 'b'] }], ['\ud800']])(
  'the value %j is the completion',
  (value) => {
    expect(check({ value })).toEqual({ value })
  },
)

test('neither value nor error is a completion without a value', () => {
  expect(check({})).toStrictEqual({})
})

test.each<[string, JsonValue, number]>([
  ['a string', 'x'.repeat(62), 64],
  ['NULs', '\0'.repeat(10), 62],
  ['letters of two bytes', 'é', 4],
  ['an emoji', '😀', 6],
  ['a lone surrogate', '\ud800', 8],
  ['a number', 12.5, 4],
  ['null', null, 4],
  ['a list', [1, 2, 3], 7],
  ['an object', { ключ: 'é' }, 17],
  ['an integral double of exact digits', 2 ** 60, 19],
])('%s of exactly the budget passes, one byte less does not', (_what, value, bytes) => {
  expect(check({ value }, bytes)).toEqual({ value })
  expect(check({ value }, bytes - 1)).toEqual(OUTPUT_LIMIT)
})

test('the message of an output limit names the budget and the limit', () => {
  expect(outputLimitMessage(65_536)).toContain('65536 bytes')
  expect(outputLimitMessage(65_536)).toContain('maxValueBytes')
})

test('a budget of 64 bytes is named also where its message is capped', () => {
  expect(check({ value: 'x'.repeat(5_000) }, 64)).toMatchObject({ error: { message: expect.stringContaining('64') } })
  expect(capDiagnostic(outputLimitMessage(64), 64)).toContain('64')
})

test.each<[string, JsonValue, string]>([
  ['an infinity', Number.POSITIVE_INFINITY, '$'],
  ['an infinity below', { rows: [1, { n: Number.NEGATIVE_INFINITY }] }, '$.rows[1].n'],
  ['a negative zero', [-0], '$[0]'],
])('%s that a frame brought is invalid output, with its path', (_what, value, path) => {
  const completion = check({ value })
  expect(completion).toEqual({ error: { kind: 'invalid-output', message: expect.stringContaining(path) } })
  expect(completion).toEqual({
    error: { kind: 'invalid-output', message: expect.stringMatching(/non-lossless number/) },
  })
  expect(completion).toMatchObject({ error: { message: expect.stringContaining(LOSSLESS_COMPLETION) } })
})

test.each<[string, JsonValue]>([
  ['before the number', ['x'.repeat(100), Number.POSITIVE_INFINITY]],
  ['after the number', [Number.POSITIVE_INFINITY, 'x'.repeat(100)]],
])('over the budget beats not lossless, with what is too long %s', (_where, value) => {
  expect(check({ value }, 64)).toEqual(OUTPUT_LIMIT)
})

test('an error counts before a value, even one that is over the budget', () => {
  const error = { kind: 'exception', message: 'boom' } as const
  expect(check({ value: 1, error })).toStrictEqual({ error })
  expect(check({ value: 'x'.repeat(2_000), error })).toStrictEqual({ error })
})

test.each<[string, string, number, string]>([
  ['of the cap', 'm'.repeat(64), 64, 'm'.repeat(64)],
  ['over the cap', 'm'.repeat(65), 64, 'm'.repeat(49) + TRUNCATED_SUFFIX],
  ['over a cap of 40', 'm'.repeat(100_000), 40, 'm'.repeat(25) + TRUNCATED_SUFFIX],
  ['over a cap of 4', 'm'.repeat(100), 4, TRUNCATED_SUFFIX],
  ['of six characters of three bytes', '€'.repeat(6), 64, '€'.repeat(6)],
])('a forged message %s is capped', (_what, message, maxValueBytes, capped) => {
  expect(check({ error: { kind: 'invalid-output', message } }, maxValueBytes)).toEqual({
    error: { kind: 'invalid-output', message: capped },
  })
})

test('the message about a value that is not lossless is capped too', () => {
  expect(check({ value: Number.POSITIVE_INFINITY }, 20)).toEqual({
    error: { kind: 'invalid-output', message: LOSSLESS_COMPLETION.slice(0, 5) + TRUNCATED_SUFFIX },
  })
})
