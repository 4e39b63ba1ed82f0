import assert from 'node:assert/strict'
import { truncationMarker } from '../../src/domain/ledger.js'
import { FAILURE_KINDS, type RunResult } from '../../src/index.js'

/** What holds for every result, whatever the guest did. */
export const checkResult = (result: RunResult, { maxLogBytes, maxValueBytes }: Budgets): void => {
  const { logs, error, calls, usage } = result
  assert.ok(!('error' in result && 'value' in result), 'a value and an error')
  if (error !== undefined) assert.ok(FAILURE_KINDS.includes(error.kind), error.kind)
  const kept = logs.filter((entry) => entry !== truncationMarker(maxLogBytes))
  assert.ok(Buffer.byteLength(JSON.stringify(kept)) <= maxLogBytes, 'the log is over its budget')
  assert.ok(kept.length >= logs.length - 1 && (kept.length === logs.length || logs.at(-1) !== kept.at(-1)), 'markers')
  if (result.value !== undefined) {
    assert.ok(Buffer.byteLength(JSON.stringify(result.value)) <= maxValueBytes, 'the value is over its budget')
  }
  assert.deepEqual(
    calls.map(({ id }) => id),
    calls.map((_, index) => index),
  )
  assert.equal(usage.bindingCalls, calls.length)
  for (const call of calls) assert.equal(call.durationMs === null, call.state === 'running')
}

interface Budgets {
  readonly maxLogBytes: number
  readonly maxValueBytes: number
}
