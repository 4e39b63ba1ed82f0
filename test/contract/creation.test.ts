import { getHeapStatistics } from 'node:v8'
import { describe, expect, it } from 'vitest'
import { frameCapBytes } from '../../src/domain/frame-cap.js'
import { type CodeRuntimeOptions, ConfigurationError, createCodeRuntime, type Limits } from '../../src/index.js'

const capBytes = frameCapBytes(getHeapStatistics().heap_size_limit)

const create = async (options: unknown): Promise<unknown> => {
  try {
    await (await createCodeRuntime(options as CodeRuntimeOptions)).dispose()
    return 'created'
  } catch (error) {
    return error
  }
}

const AT_THE_CAP: readonly Limits[] = [{ maxLogBytes: capBytes - 64 }, { maxValueBytes: capBytes - 64 }]

// What every backend accepts and refuses is in the conformance suite.
it.each(AT_THE_CAP)('%j, as large as a frame can be, is accepted', async (limits) => {
  expect(await create({ limits })).toBe('created')
})

describe('limits of a worker thread', () => {
  it.each([{ computeMs: 0.1 }, { computeMs: 1e300 }, { maxHeapMb: 1 }, { maxHeapMb: 1e300 }])(
    '%j is accepted',
    async (limits) => {
      expect(await create({ limits })).toBe('created')
    },
  )

  it.each([
    ['computeMs', -1],
    ['computeMs', 0],
    ['computeMs', Number.NaN],
    ['maxHeapMb', 0],
    ['maxHeapMb', Number.POSITIVE_INFINITY],
    ['cpuSeconds', 1],
    ['addressSpaceMb', 4_096],
    ['graceMs', 3_000],
  ])('%s %s is refused', async (limit, value) => {
    const failure = await create({ language: 'typescript', limits: { [limit]: value } })
    expect(failure).toBeInstanceOf(ConfigurationError)
    expect((failure as Error).message).toContain(`limits.${limit}`)
  })
})

describe('options', () => {
  it.each([
    ['an unknown option', { langauge: 'typescript' }, /langauge/],
    ['an unknown limit', { limits: { maxWallMS: 1 } }, /limits\.maxWallMS/],
    ['an unknown adapter', { adapters: { timer: {} } }, /adapters\.timer/],
    ['an unknown language', { language: 'ruby' }, /language/],
    ['an unknown isolation', { isolation: 'vm' }, /isolation/],
    ['a warm count that is no integer', { warm: 0.5 }, /warm/],
    ['a warm count over 64', { warm: 65 }, /64/],
    ['limits that are no object', { limits: 5 }, /limits/],
    ['options that are no object', 5, /options/],
    ['null options', null, /options/],
    ['a launcher without its methods', { launcher: {} }, /launcher/],
  ])('%s is a ConfigurationError', async (_title, options, message) => {
    const failure = await create(options)
    expect(failure).toBeInstanceOf(ConfigurationError)
    expect((failure as Error).message).toMatch(message)
  })
})
