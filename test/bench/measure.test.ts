import { describe, expect, it } from 'vitest'
import { closedLoop, inTurns } from '../../bench/measure.mjs'

describe('inTurns', () => {
  it('takes the tasks in turns and leaves the first turn out', async () => {
    const order: string[] = []
    const counted = (name: string, start: number) => {
      let sample = start
      return async () => {
        order.push(name)
        sample += 1
        return sample
      }
    }
    const samples = await inTurns({ a: counted('a', 0), b: counted('b', 10) }, { rounds: 2 })
    expect(order.join('')).toBe('ababab')
    expect(samples).toEqual({ a: [2, 3], b: [12, 13] })
  })

  it('takes several samples of a task that gives several', async () => {
    expect(await inTurns({ a: async () => [1, 2] }, { rounds: 2 })).toEqual({ a: [1, 2, 1, 2] })
  })

  it('counts three turns at least when the time is over', async () => {
    expect((await inTurns({ a: async () => 1 }, { rounds: 9, maxMs: -1 }))['a']).toHaveLength(3)
  })
})

describe('closedLoop', () => {
  it('lets each client start again when its run has ended', async () => {
    let active = 0
    let most = 0
    const task = async () => {
      active += 1
      most = Math.max(most, active)
      await new Promise((resolve) => setImmediate(resolve))
      active -= 1
    }
    const { samples, elapsedMs } = await closedLoop(task, { clients: 4, ms: 20 })
    expect(most).toBe(4)
    expect(samples.length).toBeGreaterThanOrEqual(4)
    expect(elapsedMs).toBeGreaterThanOrEqual(20)
  })
})
