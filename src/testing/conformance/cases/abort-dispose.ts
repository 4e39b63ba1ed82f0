import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert'
import { getEventListeners } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MisuseError } from '../../../domain/errors.js'
import type { RunEvent } from '../../../domain/outcome.js'
import type { CodeRuntime } from '../../../runtime.js'
import type { ConformanceCase, Programs } from '../case.js'
import { ABSENT, hasShape } from '../check.js'
import { deferred, rows, TOLERANCE_MS, turn } from '../expectations.js'
import { RETURN_1 } from '../forging.js'
import { unconvertible } from '../tools.js'

const LIMITS = { maxWallMs: 20_000 }
const LOOP: Programs = {
  javascript: `console.log('started'); for (;;) {}`,
  python: `print('started')\nwhile True: pass`,
}
const DISPOSED = { value: ABSENT, error: { kind: 'abort', message: 'runtime disposed' } }

const isState = (event: RunEvent, state: string): boolean => event.type === 'state' && event.state === state

const BEFORE = rows<[reason: unknown, message: string]>(
  [
    ['a text', 'the user left', 'the user left'],
    ['an Error', new Error('gone'), 'gone'],
    ['no reason', undefined, 'This operation was aborted'],
    ['null', null, 'null'],
    ['an unconvertible object', unconvertible(), '<a value that cannot be converted to text>'],
  ],
  (reason, message) => ({
    section: '9.1',
    programs: LOOP,
    limits: LIMITS,
    run: async ({ run }) => {
      const states: string[] = []
      const onEvent = (event: RunEvent) => event.type === 'state' && states.push(event.state)
      const result = await run({ signal: AbortSignal.abort(reason), onEvent })
      hasShape(result, { value: ABSENT, error: { kind: 'abort', message }, logs: [], calls: [] })
      deepStrictEqual(states.slice(-2), ['settling', 'done'])
      ok(!states.includes('starting'), `it came to ${states}`)
    },
  }),
  (title) => `an abort before the run, with ${title}, starts no guest`,
)

const ABORTS: readonly ConformanceCase[] = [
  {
    section: '9.1',
    title: 'an abort in the same turn as the run is not missed',
    programs: LOOP,
    run: async ({ create, program }) => {
      const runtime = await create({ limits: LIMITS })
      const controller = new AbortController()
      const result = runtime.run({ program, signal: controller.signal })
      controller.abort('at once')
      hasShape(await result, { error: { kind: 'abort', message: 'at once' } })
    },
  },
  ...rows<[state: string]>(
    [
      ['an abort while the guest starts ends the run', 'starting'],
      ['an abort while the program runs ends the run', 'running'],
    ],
    (state) => ({
      section: '9.1',
      programs: LOOP,
      limits: LIMITS,
      run: async ({ run }) => {
        const controller = new AbortController()
        const onEvent = (event: RunEvent) => isState(event, state) && controller.abort(state)
        hasShape(await run({ signal: controller.signal, onEvent }), { error: { kind: 'abort', message: state } })
      },
    }),
  ),
  {
    section: '9.1',
    title: 'an abort stops a loop hard and keeps what was printed',
    programs: LOOP,
    limits: LIMITS,
    run: async ({ run }) => {
      const controller = new AbortController()
      const onEvent = (event: RunEvent) => event.type === 'log' && controller.abort('enough')
      const { usage, ...result } = await run({ signal: controller.signal, onEvent })
      hasShape(result, { error: { kind: 'abort', message: 'enough' }, logs: ['started'] })
      ok(usage.wallMs < 4_000 + TOLERANCE_MS, `it took ${usage.wallMs} ms`)
    },
  },
  {
    section: '9.1',
    title: 'an abort by a timer of the host stops a loop',
    programs: LOOP,
    requires: ['own-thread'],
    limits: LIMITS,
    run: async ({ run }) => {
      const result = await run({ signal: AbortSignal.timeout(300) })
      hasShape(result, { error: { kind: 'abort', message: /timeout/ } })
      ok(result.usage.wallMs < 4_000 + TOLERANCE_MS, `it took ${result.usage.wallMs} ms`)
    },
  },
  {
    section: '9.1',
    title: 'an abort in a binding ends the run, the call still running',
    programs: { javascript: 'return await tools.leave()', python: 'return await tools.leave()' },
    run: async ({ run }) => {
      const controller = new AbortController()
      const tools = { leave: () => controller.abort('from the binding') }
      hasShape(await run({ signal: controller.signal, tools }), {
        error: { kind: 'abort', message: 'from the binding' },
        calls: [{ state: 'running' }],
      })
    },
  },
  {
    section: '9.1',
    title: 'an abort while the run settles changes nothing',
    programs: RETURN_1,
    run: async ({ run }) => {
      const controller = new AbortController()
      const onEvent = (event: RunEvent) => isState(event, 'settling') && controller.abort('late')
      hasShape(await run({ signal: controller.signal, onEvent }), { value: 1, error: ABSENT })
    },
  },
  {
    section: '9.1',
    title: 'after the run no listener stays at the signal',
    programs: RETURN_1,
    run: async ({ run }) => {
      const controller = new AbortController()
      const { value } = await run({ signal: controller.signal })
      controller.abort()
      deepStrictEqual([value, getEventListeners(controller.signal, 'abort')], [1, []])
    },
  },
  {
    section: '9.1',
    title: 'an abort of one of three runs ends that one',
    programs: { javascript: 'return await tools.wait()', python: 'return await tools.wait()' },
    limits: LIMITS,
    run: async ({ run }) => {
      const controllers = [new AbortController(), new AbortController(), new AbortController()]
      const waits: ((value: unknown) => void)[] = []
      const wait = () =>
        new Promise((resolve) => {
          waits.push(resolve)
          if (waits.length < controllers.length) return
          controllers[1]?.abort('the second')
          for (const answer of waits) answer(1)
        })
      const results = await Promise.all(controllers.map(({ signal }) => run({ signal, tools: { wait } })))
      deepStrictEqual(
        results.map(({ value, error }) => value ?? error?.message),
        [1, 'the second', 1],
      )
    },
  },
]

/** A program that writes to a file until it is ended. */
const BEATING: Programs = {
  javascript: `const fs = await import('node:fs'); const path = await tools.path(); console.log('started'); for (;;) fs.appendFileSync(path, '.')`,
  python: `path = await tools.path()\nprint('started')\nwhile True:\n  with open(path, 'a') as file: file.write('.')`,
}

/** Long enough for a program that goes on to show itself. */
const LISTEN_MS = 200

const GOES_NO_FURTHER: ConformanceCase = {
  section: '9.1',
  title: 'an aborted program does nothing more',
  programs: BEATING,
  requires: ['platform', 'own-thread'],
  limits: LIMITS,
  run: async ({ run }) => {
    const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
    const path = join(folder, 'beats')
    try {
      const controller = new AbortController()
      const onEvent = (event: RunEvent) => event.type === 'log' && controller.abort('enough')
      hasShape(await run({ signal: controller.signal, onEvent, tools: { path: () => path } }), {
        error: { kind: 'abort', message: 'enough' },
      })
      const bytes = bytesOf(path)
      await sleep(LISTEN_MS)
      strictEqual(bytesOf(path), bytes)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

const DISPOSALS: readonly ConformanceCase[] = [
  ...rows<[when: string]>(
    ['in the same turn', 'starting', 'running'].map((when) => [`a dispose ${when} ends every run`, when] as const),
    (when) => ({
      section: '9.2',
      programs: LOOP,
      run: async ({ create, program }) => {
        const runtime = await create({ limits: LIMITS })
        let disposal: Promise<void> | undefined
        const onEvent = (event: RunEvent) => {
          if (isState(event, when)) disposal ??= runtime.dispose()
        }
        const runs = [runtime.run({ program, onEvent }), runtime.run({ program, onEvent })]
        if (when === 'in the same turn') disposal = runtime.dispose()
        hasShape(await Promise.all(runs), [DISPOSED, DISPOSED])
        await disposal
      },
    }),
  ),
  {
    section: '9.2',
    title: 'a dispose resolves only when every run is settled',
    programs: LOOP,
    run: async ({ create, program }) => {
      const runtime = await create({ limits: LIMITS })
      let isSettled = false
      const result = runtime.run({ program }).then((settled) => {
        isSettled = true
        return settled
      })
      await runtime.dispose()
      strictEqual(isSettled, true)
      hasShape(await result, DISPOSED)
    },
  },
  {
    section: '9.2',
    title: 'a dispose is idempotent, and a run afterwards rejects',
    programs: RETURN_1,
    run: async ({ create, program }) => {
      const runtime = await create()
      const first = runtime.dispose()
      strictEqual(runtime.dispose(), first)
      await first
      await runtime.dispose()
      await rejects(runtime.run({ program }), (error) => error instanceof MisuseError)
    },
  },
  {
    section: '9.2',
    title: 'a dispose from a binding and from a listener does not hang',
    programs: { javascript: 'return await tools.end()', python: 'return await tools.end()' },
    run: async ({ create, program }) => {
      const runtime = await create()
      const result = await runtime.run({
        program,
        bindings: [{ global: 'tools', functions: { end: () => runtime.dispose() } }],
        onEvent: (event) => isState(event, 'done') && void runtime.dispose(),
      })
      hasShape(result, DISPOSED)
    },
  },
  {
    section: '9.2',
    title: 'a dispose is what `await using` does',
    programs: RETURN_1,
    run: async ({ create, program }) => {
      let kept: CodeRuntime
      {
        await using runtime = await create()
        kept = runtime
        hasShape(await runtime.run({ program }), { value: 1 })
      }
      await rejects(kept.run({ program }), (error) => error instanceof MisuseError)
    },
  },
  {
    section: '9.2',
    title: 'what bindings reject after a dispose is swallowed',
    programs: { javascript: 'await tools.wait()', python: 'await tools.wait()' },
    run: async ({ create, program }) => {
      const runtime = await create()
      const late = deferred<never>()
      const wait = () => {
        void runtime.dispose()
        return late.promise
      }
      const result = await runtime.run({ program, bindings: [{ global: 'tools', functions: { wait } }] })
      hasShape(result, DISPOSED)
      late.reject(new Error('late'))
      await turn()
    },
  },
  {
    section: '9.2',
    title: 'prepared guests end with the runtime',
    programs: RETURN_1,
    requires: ['prepared-guests'],
    run: async ({ create, program }) => {
      const runtime = await create({ warm: 2 })
      for (let i = 0; i < 3; i += 1) hasShape(await runtime.run({ program }), { value: 1 })
      await runtime.dispose()
    },
  },
]

export const ABORT_DISPOSE_CASES: readonly ConformanceCase[] = [...BEFORE, ...ABORTS, GOES_NO_FURTHER, ...DISPOSALS]
