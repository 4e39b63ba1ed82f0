import { expect, test } from 'vitest'
import { createCodeRuntime } from '../../src/index.js'
import { answering, FakeLauncher } from '../../src/testing.js'
import { soon } from '../support/turn.js'

const runtimeWith = (launcher: FakeLauncher) => createCodeRuntime({ launcher })

test.each([
  [
    { value: 42, logs: ['thinking', 'done'] },
    { value: 42, logs: ['thinking', 'done'] },
  ],
  [{ value: null }, { value: null, logs: [] }],
  [{}, { logs: [] }],
])('a guest that answers %j gives the run that result', async (outcome, expected) => {
  const launcher = new FakeLauncher(answering(outcome))
  await using runtime = await runtimeWith(launcher)
  const result = await runtime.run({ program: 'return everything()' })
  expect(result).toMatchObject(expected)
  expect('value' in result).toBe('value' in outcome)
  expect(launcher.programs).toEqual(['return everything()'])
})

test('a script plays every guest', async () => {
  let played = 0
  const launcher = new FakeLauncher((guest) => {
    played += 1
    const { transport } = guest
    void transport.sentFrame('boot').then(() => guest.exit({ type: 'exited', code: played }))
  })
  await using runtime = await runtimeWith(launcher)
  for (const code of [1, 2]) {
    const { error } = await runtime.run({ program: '' })
    expect(error?.message).toBe(`the guest exited with code ${code} before completing`)
  }
  expect(launcher.guests).toHaveLength(2)
})

test('a launcher refuses programs and launches when it is told to', async () => {
  const launcher = new FakeLauncher()
  await using runtime = await runtimeWith(launcher)
  launcher.syntaxError = 'SyntaxError: no'
  expect((await runtime.run({ program: '' })).error).toEqual({ kind: 'exception', message: 'SyntaxError: no' })
  launcher.syntaxError = undefined
  launcher.launchFailure = new Error('EMFILE')
  expect((await runtime.run({ program: '' })).error).toMatchObject({ kind: 'worker-exit' })
  expect(launcher.guests).toEqual([])
})

test('a guest can be waited for by its number, or as the next one', async () => {
  const launcher = new FakeLauncher()
  await using runtime = await runtimeWith(launcher)
  const next = launcher.nextGuest()
  const second = launcher.nextGuest(1)
  const runs = [runtime.run({ program: 'a' })]
  const guest = await next
  expect(guest).toBe(launcher.guests[0])
  expect(await soon(second)).toBe('still pending')
  runs.push(runtime.run({ program: 'b' }))
  expect(await second).toBe(launcher.guests[1])
  expect(await launcher.nextGuest(0)).toBe(guest)
  for (const each of launcher.guests) each.exit({ type: 'exited', code: 0 })
  await Promise.all(runs)
})

test('dispose ends the guests that still live', async () => {
  const launcher = new FakeLauncher()
  const guest = launcher.launch({} as never)
  await launcher.dispose()
  expect(launcher.isDisposed).toBe(true)
  expect(guest.transport.isClosed).toBe(true)
})
