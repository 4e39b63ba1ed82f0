import { expect, test } from 'vitest'
import { ManualClock } from '../../src/testing.js'
import { turn } from '../support/turn.js'

const clockWith = (...timers: readonly [name: string, ms: number][]) => {
  const clock = new ManualClock()
  const fired: string[] = []
  const cancels = timers.map(([name, ms]) => clock.after(ms, () => fired.push(`${name} at ${clock.now()}`)))
  return { clock, fired, cancels }
}

test('time stands still until it is advanced', () => {
  const { clock, fired } = clockWith(['a', 0])
  expect([clock.now(), clock.pendingTimers, fired]).toEqual([0, 1, []])
  clock.advance(0)
  expect([clock.now(), clock.pendingTimers, fired]).toEqual([0, 0, ['a at 0']])
})

test('timers fire in the order of their times, each at its own', () => {
  const { clock, fired } = clockWith(['late', 30], ['early', 10], ['middle', 20])
  clock.advance(30)
  expect(fired).toEqual(['early at 10', 'middle at 20', 'late at 30'])
  expect(clock.now()).toBe(30)
})

test('timers of one time fire in the order in which they were set', () => {
  const { clock, fired } = clockWith(['a', 10], ['b', 10], ['c', 10])
  clock.advance(10)
  expect(fired).toEqual(['a at 10', 'b at 10', 'c at 10'])
})

test('a timer fires at its time and not before', () => {
  const { clock, fired } = clockWith(['a', 10])
  clock.advance(9)
  expect(fired).toEqual([])
  clock.advance(1)
  expect(fired).toEqual(['a at 10'])
  clock.advance(100)
  expect(fired).toHaveLength(1)
})

test('a cancelled timer does not fire; to cancel it again does nothing', () => {
  const { clock, fired, cancels } = clockWith(['a', 10], ['b', 10])
  cancels[0]!()
  cancels[0]!()
  expect(clock.pendingTimers).toBe(1)
  clock.advance(10)
  expect(fired).toEqual(['b at 10'])
})

test('a timer that is set by a timer fires in the same advance when it falls due', () => {
  const clock = new ManualClock()
  const fired: number[] = []
  const tick = () => {
    fired.push(clock.now())
    clock.after(25, tick)
  }
  clock.after(25, tick)
  clock.advance(100)
  expect(fired).toEqual([25, 50, 75, 100])
  expect(clock.pendingTimers).toBe(1)
})

test('what waits for the end of the turn runs at its end, once', () => {
  const clock = new ManualClock()
  const ran: string[] = []
  clock.afterTurn(() => {
    ran.push('first')
    clock.afterTurn(() => ran.push('in the next turn'))
  })
  clock.afterTurn(() => ran.push('second'))
  expect(ran).toEqual([])
  clock.endTurn()
  expect(ran).toEqual(['first', 'second'])
  clock.endTurn()
  expect(ran).toEqual(['first', 'second', 'in the next turn'])
  clock.endTurn()
  expect(ran).toHaveLength(3)
})

test('every timer has a turn of its own', () => {
  const { clock, fired } = clockWith(['a', 10], ['b', 10])
  clock.afterTurn(() => fired.push('end of the turn'))
  clock.advance(10)
  expect(fired).toEqual(['a at 10', 'end of the turn', 'b at 10'])
})

test('a clock whose turns are real ends them as the event loop does, and its time stands still', async () => {
  const clock = new ManualClock({ turns: 'real' })
  const ran: string[] = []
  clock.afterTurn(() => ran.push('after'))
  await Promise.resolve()
  expect(ran).toEqual([])
  await turn()
  expect([ran, clock.now()]).toEqual([['after'], 0])
})
