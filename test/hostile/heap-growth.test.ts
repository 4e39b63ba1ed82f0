import { describe, expect, it } from 'vitest'
import { said, useHostProcess } from '../support/host-process.js'

const GROWING: readonly (readonly [title: string, program: string])[] = [
  ['push', `const a = []; for (;;) a.push(1)`],
  ['push of objects', `const a = []; for (;;) a.push({ a: 1 })`],
  ['fill', `const a = []; for (;;) a.push(new Array(1e5).fill(a.length))`],
  ['spread', `let a = [1]; for (;;) a = [...a, ...a]`],
  ['concat', `let a = [1]; for (;;) a = a.concat(a)`],
  ['a Map', `const m = new Map(); for (let i = 0; ; i++) m.set(i, i)`],
  ['members of an object', `const o = {}; for (let i = 0; ; i++) o['key' + i] = i`],
  ['strings', `const a = []; for (let i = 0; ; i++) a.push(('x' + i).repeat(1e5).slice(1))`],
  ['buffers', `const a = []; for (;;) a.push(Buffer.alloc(1e6, 1))`],
  ['typed arrays', `const a = []; for (;;) a.push(new Float64Array(1e5).fill(1))`],
  ['closures', `const a = []; for (let i = 0; ; i++) { const big = new Array(100).fill(i); a.push(() => big) }`],
  ['promises', `const a = []; for (;;) a.push(new Promise(() => {}))`],
  [
    'calls that hang, one after the other',
    `const a = []; for (let i = 0; ; i++) { a.push('x'.repeat(1e6) + i); await tools.one() ; a.push(new Array(1e5).fill(i)) }`,
  ],
  [
    'a nested worker',
    `const { Worker } = await import('node:worker_threads'); new Worker('const a = []; for (;;) a.push(1)', { eval: true }); await new Promise(() => {})`,
  ],
  [
    'the memory of WebAssembly',
    `const m = []; for (;;) { const memory = new WebAssembly.Memory({ initial: 160 }); new Uint8Array(memory.buffer).fill(1); m.push(memory) }`,
  ],
]

/** Single operations that V8 would answer by ending the process. */
const FATAL: readonly (readonly [title: string, program: string])[] = [
  ['an array of 2**28 bytes', `return Array.from(new Uint8Array(2 ** 28)).length`],
  ['a spread of 2**28 bytes', `return [...new Uint8Array(2 ** 28)].length`],
]

const ORDINARY: readonly (readonly [title: string, program: string])[] = [
  ['a list of 1,000,000 numbers', `return Array.from({ length: 1e6 }, (_, i) => i * 1.5).reduce((a, b) => a + b) > 0`],
  ['a text of 20 MB', `return 'x'.repeat(2e7).toUpperCase().split('Y').join('').length === 2e7`],
  [
    'parsing 5 MB of JSON',
    `return JSON.parse(JSON.stringify(Array.from({ length: 1e5 }, (_, i) => ({ id: i, name: 'item ' + i })))).length === 1e5`,
  ],
  [
    'a Map of 200,000 entries',
    `const m = new Map(); for (let i = 0; i < 2e5; i++) m.set('k' + i, { i }); return m.size === 2e5`,
  ],
  [
    'garbage of a gigabyte',
    `let n = 0; for (let i = 0; i < 1000; i++) n += new Array(1.2e5).fill(i).length; return n > 0`,
  ],
  ['buffers of 30 MB', `return Buffer.alloc(3e7, 1).reduce((a, b) => a + b) === 3e7`],
]

describe('memory', () => {
  const host = useHostProcess()

  it('every way to grow ends as worker-exit, with the host alive and the next run clean', async () => {
    const end = await host(
      `for (const [title, program] of ${JSON.stringify(GROWING)}) {
        const { error } = await runOnce(program, { maxHeapMb: 64, maxWallMs: 20000 })
        say([title, error?.kind, /memory|maxHeapMb/.test(error?.message), (await runOnce('return 1')).value])
      }`,
      { deadlineMs: 60_000 },
    )
    expect(said(end)).toEqual(GROWING.map(([title]) => [title, 'worker-exit', true, 1]))
  }, 60_000)

  it('a program of some tens of megabytes is no such thing', async () => {
    const end = await host(
      `for (const [title, program] of ${JSON.stringify(ORDINARY)}) say([title, (await runOnce(program, { maxHeapMb: 64 }))])`,
    )
    for (const line of said(end)) expect((line as [string, { value: unknown }])[1]).toMatchObject({ value: true })
  })

  it.each(FATAL)('%s does not end the host', async (_title, program) => {
    const end = await host(
      `const { error } = await runOnce(${JSON.stringify(program)}, { maxHeapMb: 64 }); say(error?.kind ?? 'done'); say((await runOnce('return 1')).value)`,
    )
    expect(said(end)).toEqual([expect.stringMatching(/worker-exit|exception|done|output-limit/), 1])
  })

  it.each([0, 1])('with %i prepared guests, a program that waits is not blamed for its neighbours', async (warm) => {
    const end = await host(
      `const runtime = await createCodeRuntime({ warm: ${warm}, limits: { maxHeapMb: 64 } })
       await runtime.run({ program: 'return 1' })
       await new Promise((resolve) => setTimeout(resolve, 200))
       const controller = new AbortController()
       const waiting = Array.from({ length: 3 }, () =>
         runtime.run({ program: 'await new Promise(() => {})', signal: controller.signal }))
       for (let i = 0; i < 4; i++) {
         const { error } = await runtime.run({ program: 'const a = []; for (;;) a.push(new Array(1e4).fill(1.5))' })
         say(error?.kind)
       }
       controller.abort('enough')
       say((await Promise.all(waiting)).map(({ error }) => error?.kind))
       await runtime.dispose()`,
      { deadlineMs: 60_000 },
    )
    const hoarders = Array.from({ length: 4 }, () => 'worker-exit')
    expect(said(end)).toEqual([...hoarders, ['abort', 'abort', 'abort']])
  })

  it('growth is noticed while the host is busy', async () => {
    const end = await host(
      `const block = () => { const end = performance.now() + 3000; while (performance.now() < end) {} return 1 }
       const { error } = await runOnce('tools.block(); const a = []; for (;;) a.push(1)', { maxHeapMb: 64 }, { block })
       say([error.kind, (await runOnce('return 1')).value])`,
    )
    expect(said(end)).toEqual([['worker-exit', 1]])
  })

  it.each([
    ['in the main thread', (script: string) => script],
    [
      'in a thread of the app',
      (script: string) => `
        const { Worker, isMainThread } = await import('node:worker_threads')
        if (isMainThread) new Worker(new URL(import.meta.url)); else { ${script} }`,
    ],
  ])('what the host itself allocates during a run is not the run’s, %s', async (_title, place) => {
    const end = await host(
      place(`
        const kept = []
        const work = async () => {
          for (let i = 0; i < 10; i++) { kept.push(Buffer.alloc(40 << 20, 1)); await new Promise((done) => setTimeout(done, 40)) }
          return kept.length
        }
        const { value, error } = await runOnce('return await tools.work()', { maxHeapMb: 64 }, { work })
        say(value ?? error.message)`),
    )
    expect(said(end)).toEqual([10])
  })
})
