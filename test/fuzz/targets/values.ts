import assert from 'node:assert/strict'
import fc from 'fast-check'
import { anyJson } from '../../support/json-values.js'
import type { Language } from '../backends.js'
import { checkResult } from '../invariants.js'
import { closeBackends, type OpenBackend, openBackends } from '../runtimes.js'
import type { Target } from '../target.js'

const BUDGETS = { maxLogBytes: 65_536, maxValueBytes: 1_048_576 }

/** Takes every value there and back, one after the other, then all of them at once, then as the completion. */
const PROGRAMS: Readonly<Record<Language, string>> = {
  typescript: `
const { count } = await tools.start()
for (let index = 0; index < count; index += 1) await tools.take([index, await tools.give(index)])
const all = await Promise.all(Array.from({ length: count }, (_, index) => tools.give(index)))
await tools.take([count, all])
return all`,
  python: `
import asyncio
count = (await tools.start())["count"]
for index in range(count): await tools.take([index, await tools.give(index)])
all = list(await asyncio.gather(*(tools.give(index) for index in range(count))))
await tools.take([count, all])
return all`,
}

const crossOver = async ({ language, runtime }: OpenBackend, values: readonly unknown[]) => {
  const taken: unknown[] = []
  const functions = {
    start: () => ({ count: values.length }),
    give: (index: number) => values[index],
    take: ([index, value]: [number, unknown]) => {
      taken[index] = value
      return null
    },
  }
  const result = await runtime.run({ program: PROGRAMS[language], bindings: [{ global: 'tools', functions }] })
  checkResult(result, BUDGETS)
  assert.equal(result.error, undefined)
  assert.deepEqual(taken, [...values, values])
  assert.deepEqual(result.value, values)
  return {
    bytesIn: result.usage.bytesIn,
    calls: result.calls.map(({ argsBytes, replyBytes }) => [argsBytes, replyBytes]),
  }
}

/** JSON values through both codecs and every language, there and back; every guest writes the same bytes. */
export const values: Target = {
  name: 'values',
  open: async () => {
    const backends = await openBackends()
    const property = fc.asyncProperty(fc.array(anyJson, { minLength: 1, maxLength: 12 }), async (some) => {
      const [first, ...others] = await Promise.all(backends.map((backend) => crossOver(backend, some)))
      for (const other of others) assert.deepEqual(other, first)
    })
    return { property, close: () => closeBackends(backends) }
  },
}
