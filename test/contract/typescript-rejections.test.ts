import { describe, expect, it } from 'vitest'
import { HOST_TRACES, TOOLS, useRuntime } from '../support/runtimes.js'

describe('uncaught errors of a program', () => {
  const { run } = useRuntime({ limits: { maxWallMs: 10_000 } })

  it.each([
    ['a throw in a timer', `setTimeout(() => { throw new Error('odd one') }, 1); await new Promise(() => {})`],
    ['a throw in an immediate', `setImmediate(() => { throw new Error('odd one') }); await new Promise(() => {})`],
    ['a throw in a tick', `process.nextTick(() => { throw new Error('odd one') }); await new Promise(() => {})`],
    ['a throw in a microtask', `queueMicrotask(() => { throw new Error('odd one') }); await new Promise(() => {})`],
    [
      'a throw in a listener',
      `const { EventEmitter } = await import('node:events'); const e = new EventEmitter(); setTimeout(() => e.emit('error', new Error('odd one')), 1); await new Promise(() => {})`,
    ],
    [
      'a floating rejection',
      `void Promise.reject(new Error('odd one')); await new Promise((done) => setTimeout(done, 200)); return 1`,
    ],
    [
      'a floating rejection in a timer',
      `setTimeout(() => { Promise.reject(new Error('odd one')) }, 5); await new Promise((done) => setTimeout(done, 200)); return 1`,
    ],
    [
      'a floating async function',
      `(async () => { await null; throw new Error('odd one') })(); await new Promise((done) => setTimeout(done, 200)); return 1`,
    ],
    ['a floating call', `tools.odd(); await new Promise((done) => setTimeout(done, 200)); return 1`],
    [
      'a worker of its own that fails',
      `const { Worker } = await import('node:worker_threads'); new Worker('throw new Error("odd one")', { eval: true }); await new Promise(() => {})`,
    ],
  ])('%s is an exception with its own text', async (_title, program) => {
    const { error } = await run(program, { tools: { ...TOOLS, odd: () => Promise.reject(new Error('odd one')) } })
    expect(error?.kind).toBe('exception')
    expect(error?.message).toContain('odd one')
    expect(error?.message).not.toMatch(HOST_TRACES)
  })

  it.each([
    ['a floating rejection before the return', `void Promise.reject(new Error('x')); return 1`],
    ['a floating rejection in a timer', `setTimeout(() => { Promise.reject(new Error('x')) }, 10); return 1`],
    ['a throw in a timer', `setTimeout(() => { throw new Error('x') }, 0); return 1`],
    ['a floating call', `tools.fail(); return 1`],
    [
      'a rejection that is handled in time',
      `const p = Promise.reject(new Error('x')); await null; p.catch(() => {}); return 1`,
    ],
    ['an exit after the return', `setTimeout(() => process.exit(3), 0); return 1`],
  ])('%s does not take the completion back', async (_title, program) => {
    const result = await run(program, { tools: TOOLS })
    // What comes in the very turn of the return may come first, as a documented exception; never anything else.
    if (result.error === undefined) expect(result.value).toBe(1)
    else expect(result.error.kind).toBe('exception')
  })

  it.each([
    [
      'of a rejection',
      `process.on('unhandledRejection', () => console.log('heard'))`,
      `Promise.reject(new Error('x'))`,
    ],
    [
      'of a throw',
      `process.on('uncaughtException', () => console.log('heard'))`,
      `setTimeout(() => { throw new Error('x') })`,
    ],
  ])('a program may listen for itself: %s', async (_title, listen, cause) => {
    expect(await run(`${listen}; ${cause}; await new Promise((done) => setTimeout(done, 50)); return 1`)).toMatchObject(
      { value: 1, logs: ['heard'] },
    )
  })

  it('an error in a listener of its own is an exception', async () => {
    const { error } = await run(
      `process.on('unhandledRejection', () => { throw new Error('in the listener') }); Promise.reject(1); await new Promise(() => {})`,
    )
    expect(error?.message).toContain('in the listener')
  })

  it('ten kinds of late trouble after ten returns leave the next run clean', async () => {
    for (let i = 0; i < 10; i += 1) {
      await run(
        `setTimeout(() => { throw ${i} }); setImmediate(() => Promise.reject(${i})); tools.fail(); tools.hang(); return ${i}`,
        { tools: TOOLS },
      )
      expect(await run('return 1')).toMatchObject({ value: 1 })
    }
  })
})
