import { readlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { threadCpuMs, threadMinorFaults } from '../../../src/adapters/worker/thread-stats.js'

const NO_THREAD = 2_147_483_647

describe.runIf(process.platform === 'linux')('the statistics of a thread', () => {
  const own = Number(readlinkSync('/proc/thread-self').split('/').at(-1))

  it('tell CPU time that grows with work', () => {
    const before = threadCpuMs(own) ?? Number.NaN
    let sum = 0
    for (let at = 0; at < 2e7; at += 1) sum += at
    expect(sum).toBeGreaterThan(0)
    expect(threadCpuMs(own)).toBeGreaterThan(before)
  })

  it('tell the pages that it touched', () => {
    const before = threadMinorFaults(own) ?? Number.NaN
    const kept = Buffer.alloc(32 * 1_048_576, 1)
    expect(threadMinorFaults(own)).toBeGreaterThan(before + 1_000)
    expect(kept.length).toBeGreaterThan(0)
  })
})

describe('a thread that is not there', () => {
  it.each([undefined, NO_THREAD])('%s has no figures', (threadId) => {
    expect([threadCpuMs(threadId), threadMinorFaults(threadId)]).toEqual([null, undefined])
  })
})
