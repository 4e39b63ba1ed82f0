import { expect, it } from 'vitest'
import { TRUNCATED_SUFFIX } from '../../src/domain/diagnostic.js'
import { forging, useRuntime } from '../support/runtimes.js'

const { run } = useRuntime({ limits: { maxValueBytes: 64 } })

it('a cut text does not keep the whole one alive', async () => {
  const program = forging(
    [],
    `parentPort.postMessage(JSON.stringify({ type: 'done', error: { kind: 'exception', message: 'm'.repeat(2e7) } })); for (;;) {}`,
  )
  const kept = []
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  for (let i = 0; i < 8; i += 1) kept.push((await run(program)).error?.message)
  globalThis.gc?.()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 1_048_576)
  expect(kept.map((text) => text?.length)).toEqual(Array(8).fill(49 + TRUNCATED_SUFFIX.length))
})
