import { expect, test } from 'vitest'
import { Spares } from '../../src/adapters/spares.js'
import { ManualClock } from '../../src/testing.js'

class FakeSpare {
  isRef = true
  isStopped = false
  die!: () => void
  readonly ended = new Promise<void>((resolve) => {
    this.die = resolve
  })

  unref(): void {
    this.isRef = false
  }

  stop(): void {
    this.isStopped = true
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

const newSpares = (count: number) => {
  const made: FakeSpare[] = []
  const failures: Error[] = []
  const make = () => {
    const failure = failures.shift()
    if (failure !== undefined) throw failure
    const spare = new FakeSpare()
    made.push(spare)
    return spare
  }
  const clock = new ManualClock()
  const outdated = new Set<FakeSpare>()
  const isCurrent = (guest: FakeSpare) => !outdated.has(guest)
  const spares = new Spares<string, FakeSpare>({ count, make, isCurrent, clock })
  return { made, failures, clock, outdated, spares }
}

test.each([0, 1, 3])('%i guests are prepared when the first run has ended, and do not hold the host', async (count) => {
  const { made, spares } = newSpares(count)
  const first = spares.take('limits')
  expect(made).toEqual([first])
  first.die()
  await turn()
  expect(made).toHaveLength(1 + count)
  expect(made.slice(1).every(({ isRef }) => !isRef)).toBe(true)
})

test('none is prepared while a run needs the processor', async () => {
  const { made, spares } = newSpares(1)
  const [first] = [spares.take('limits'), spares.take('limits')]
  first?.die()
  await turn()
  expect(made).toHaveLength(2)
})

test('each is handed out once', async () => {
  const { made, spares } = newSpares(1)
  spares.take('limits').die()
  await turn()
  const second = spares.take('limits')
  expect(second).toBe(made[1])
  expect(spares.take('limits')).toBe(made[2])
})

test('one that died is not handed out', async () => {
  const { made, spares } = newSpares(1)
  spares.take('limits').die()
  await turn()
  made[1]?.die()
  await turn()
  expect(spares.take('limits')).toBe(made[2])
})

test('a refill that fails fails no run', async () => {
  const { made, failures, spares } = newSpares(1)
  const first = spares.take('limits')
  failures.push(new Error('EMFILE'))
  first.die()
  await turn()
  expect(made).toHaveLength(1)
  expect(spares.take('limits')).toBe(made[1])
})

test('a guest that cannot be made is the run’s affair', () => {
  const { failures, spares } = newSpares(1)
  failures.push(new Error('EMFILE'))
  expect(() => spares.take('limits')).toThrow('EMFILE')
})

test('none is prepared after the end', async () => {
  const { made, spares } = newSpares(1)
  const first = spares.take('limits')
  spares.end()
  first.die()
  await turn()
  expect(made).toHaveLength(1)
})

test('one that waited for ten minutes is handed out, one that waited for longer is ended', async () => {
  const { made, clock, spares } = newSpares(1)
  spares.take('limits').die()
  await turn()
  clock.advance(600_000)
  const second = spares.take('limits')
  expect(second).toBe(made[1])
  second.die()
  await turn()
  clock.advance(600_001)
  expect(spares.take('limits')).toBe(made[3])
  expect(made.map(({ isStopped }) => isStopped)).toEqual([false, false, true, false])
})

test('one that is no longer what would be made is ended, and the next one tried', async () => {
  const { made, outdated, spares } = newSpares(2)
  spares.take('limits').die()
  await turn()
  outdated.add(made[1]!)
  expect(spares.take('limits')).toBe(made[2])
  expect(made.map(({ isStopped }) => isStopped)).toEqual([false, true, false])
})
