import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { MisuseError, type RunEvent } from '../../src/index.js'
import { TOOLS } from '../support/runtimes.js'
import { onEveryBackend, type Programs } from './backends.js'

const LOOP: Programs = {
  typescript: `console.log('started'); for (;;) {}`,
  python: `print('started')\nwhile True: pass`,
}
const unconvertible = {
  [Symbol.toPrimitive]: () => {
    throw new Error('no')
  },
}

onEveryBackend((backend) => {
  const run = backend.use({ maxWallMs: 20_000 })
  const loop = LOOP[backend.language] as string

  describe('abort', () => {
    it.each([
      ['a text', 'the user left', 'the user left'],
      ['an Error', new Error('gone'), 'gone'],
      ['no reason', undefined, 'This operation was aborted'],
      ['null', null, 'null'],
      ['an unconvertible object', unconvertible, '<a value that cannot be converted to text>'],
    ])('before the run, with %s, starts no guest', async (_title, reason, message) => {
      const events: RunEvent[] = []
      const signal = AbortSignal.abort(reason)
      const result = await run(loop, { signal, onEvent: (event) => events.push(event) })
      expect(result).toMatchObject({ error: { kind: 'abort', message }, logs: [], calls: [] })
      expect(events.map((event) => event.type === 'state' && event.state).slice(-2)).toEqual(['settling', 'done'])
      expect(events).not.toContainEqual({ type: 'state', state: 'starting' })
    })

    it('in the same turn as the run is not missed', async () => {
      const controller = new AbortController()
      const result = run(loop, { signal: controller.signal })
      controller.abort('at once')
      expect((await result).error).toEqual({ kind: 'abort', message: 'at once' })
    })

    it.each(['starting', 'running'])('in the state %s', async (state) => {
      const controller = new AbortController()
      const { error } = await run(loop, {
        signal: controller.signal,
        onEvent: (event) => event.type === 'state' && event.state === state && controller.abort(state),
      })
      expect(error).toEqual({ kind: 'abort', message: state })
    })

    it('in a loop ends it hard and keeps what was printed', async () => {
      const controller = new AbortController()
      const { error, logs, usage } = await run(loop, {
        signal: controller.signal,
        onEvent: (event) => event.type === 'log' && controller.abort('enough'),
      })
      expect([error, logs]).toEqual([{ kind: 'abort', message: 'enough' }, ['started']])
      expect(usage.wallMs).toBeLessThan(8_000)
    })

    backend.it(
      'in a binding',
      { typescript: 'return await tools.leave()', python: 'return await tools.leave()' },
      async (program) => {
        const controller = new AbortController()
        const result = await run(program, {
          signal: controller.signal,
          tools: { leave: () => controller.abort('from the binding') },
        })
        expect(result).toMatchObject({
          error: { kind: 'abort', message: 'from the binding' },
          calls: [{ state: 'running' }],
        })
      },
    )

    it('while settling changes nothing', async () => {
      const controller = new AbortController()
      const result = await run('return 1', {
        signal: controller.signal,
        onEvent: (event) => event.type === 'state' && event.state === 'settling' && controller.abort('late'),
      })
      expect(result).toMatchObject({ value: 1 })
      expect(result).not.toHaveProperty('error')
    })

    it('after the run changes nothing, and no listener stays at the signal', async () => {
      const controller = new AbortController()
      const result = await run('return 1', {
        signal: controller.signal,
      })
      controller.abort()
      expect([result.value, getEventListeners(controller.signal, 'abort')]).toEqual([1, []])
    })

    it('of one of many runs with one signal each ends that one', async () => {
      const controllers = [new AbortController(), new AbortController(), new AbortController()]
      const hang = 'return await tools.wait()'
      const waits: ((value: unknown) => void)[] = []
      const wait = () =>
        new Promise((resolve) => {
          waits.push(resolve)
          if (waits.length < 3) return
          controllers[1]?.abort('the second')
          for (const answer of waits) answer(1)
        })
      const results = await Promise.all(controllers.map(({ signal }) => run(hang, { signal, tools: { wait } })))
      expect(results.map(({ value, error }) => value ?? error?.message)).toEqual([1, 'the second', 1])
    })
  })

  describe('dispose', () => {
    const disposed = { kind: 'abort', message: 'runtime disposed' }

    it.each(['in the same turn', 'starting', 'running'])('%s ends every run', async (when) => {
      const runtime = await backend.create()
      let disposal: Promise<void> | undefined
      const results = [0, 1].map(() =>
        runtime.run({
          program: loop,
          onEvent: (event) => {
            if (event.type === 'state' && event.state === when) disposal ??= runtime.dispose()
          },
        }),
      )
      if (when === 'in the same turn') disposal = runtime.dispose()
      expect((await Promise.all(results)).map(({ error }) => error)).toEqual([disposed, disposed])
      await disposal
    })

    it('resolves only when every run is settled', async () => {
      const runtime = await backend.create()
      let isSettled = false
      const result = runtime.run({ program: loop }).then((settled) => {
        isSettled = true
        return settled
      })
      await runtime.dispose()
      expect(isSettled).toBe(true)
      expect((await result).error).toEqual(disposed)
    })

    it('is idempotent, and a run afterwards rejects', async () => {
      const runtime = await backend.create()
      const first = runtime.dispose()
      expect(runtime.dispose()).toBe(first)
      await first
      await runtime.dispose()
      await expect(runtime.run({ program: 'return 1' })).rejects.toBeInstanceOf(MisuseError)
    })

    it('from a binding and from a listener does not hang', async () => {
      const runtime = await backend.create()
      const program = 'return await tools.end()'
      const result = await runtime.run({
        program,
        bindings: [{ global: 'tools', functions: { end: () => runtime.dispose() } }],
        onEvent: (event) => event.type === 'state' && event.state === 'done' && void runtime.dispose(),
      })
      expect(result.error).toEqual(disposed)
    })

    it('is what `await using` does', async () => {
      let kept: Awaited<ReturnType<typeof backend.create>>
      {
        await using runtime = await backend.create()
        kept = runtime
        expect(await runtime.run({ program: 'return 1' })).toMatchObject({ value: 1 })
      }
      await expect(kept.run({ program: '' })).rejects.toBeInstanceOf(MisuseError)
    })

    it('swallows what bindings reject later', async () => {
      const runtime = await backend.create()
      let reject: (error: unknown) => void = () => {}
      const program = 'await tools.wait()'
      const result = runtime.run({
        program,
        bindings: [
          {
            global: 'tools',
            functions: {
              ...TOOLS,
              wait: () =>
                new Promise((_resolve, rejectWith) => {
                  reject = rejectWith
                  void runtime.dispose()
                }),
            },
          },
        ],
      })
      expect((await result).error).toEqual(disposed)
      reject(new Error('late'))
      await new Promise((resolve) => setImmediate(resolve))
    })
  })
})
