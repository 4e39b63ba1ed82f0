import { setTimeout } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { CompilerThread } from '../../../src/adapters/typescript/compiler-thread.js'
import { startWorker } from '../../../src/adapters/typescript/compiler-worker.js'

const counted = () => {
  const started: Worker[] = []
  const start = async () => {
    const worker = await startWorker()
    started.push(worker)
    return worker
  }
  return { started, start }
}

const GOOD = ['let a: number', { output: { code: 'let a        ' } }] as const
/** Two to the power of its depth: years. */
const ENDLESS = `let a = ${'<T>('.repeat(60)}`

test('one thread serves many programs', async () => {
  const { started, start } = counted()
  const thread = new CompilerThread({ start })
  await Promise.all([1, 2, 3].map(() => thread.compile(GOOD[0], 'strip-only')))
  expect(started).toHaveLength(1)
})

test('a program that cannot be parsed in time is given up, and the next one gets a new thread', async () => {
  const { started, start } = counted()
  const thread = new CompilerThread({ start, patienceMs: 300 })
  const answers = await Promise.all([thread.compile(ENDLESS, 'strip-only'), thread.compile(GOOD[0], 'strip-only')])
  expect(answers).toEqual([{ failure: 'overdue' }, GOOD[1]])
  expect(started).toHaveLength(2)
  expect(started[0]?.threadId).toBe(-1)
})

test('a program that overflows the parser gets the next one a new thread', async () => {
  const { started, start } = counted()
  const thread = new CompilerThread({ start })
  await expect(thread.compile('{'.repeat(100_000), 'strip-only')).resolves.toEqual({ failure: 'overflow' })
  await expect(thread.compile(GOOD[0], 'strip-only')).resolves.toEqual(GOOD[1])
  expect(started).toHaveLength(2)
})

test('a thread that dies meanwhile counts as a panic', async () => {
  const { started, start } = counted()
  const thread = new CompilerThread({ start })
  await thread.compile(GOOD[0], 'strip-only')
  const answer = thread.compile(ENDLESS, 'strip-only')
  await setTimeout(20)
  started[0]?.emit('error', new Error('out of memory'))
  await expect(answer).resolves.toEqual({ failure: 'panic' })
})

test('an idle thread ends', async () => {
  const { started, start } = counted()
  const thread = new CompilerThread({ start, idleMs: 1 })
  await thread.compile(GOOD[0], 'strip-only')
  while (started[0]?.threadId !== -1) await setTimeout(5)
  await expect(thread.compile(GOOD[0], 'strip-only')).resolves.toEqual(GOOD[1])
})

test('a thread that cannot start fails the program, and is tried again', async () => {
  let tries = 0
  const start = () => {
    tries += 1
    return tries === 1 ? Promise.reject(new Error('no threads')) : startWorker()
  }
  const thread = new CompilerThread({ start })
  await expect(thread.compile(GOOD[0], 'strip-only')).rejects.toThrow('no threads')
  await expect(thread.compile(GOOD[0], 'strip-only')).resolves.toEqual(GOOD[1])
})
