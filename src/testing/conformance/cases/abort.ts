import { deepStrictEqual, ok, strictEqual } from 'node:assert'
import { getEventListeners } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunEvent } from '../../../domain/outcome.js'
import type { ConformanceCase, Programs } from '../case.js'
import { ABSENT, hasShape } from '../check.js'
import { rows, TOLERANCE_MS } from '../expectations.js'
import { RETURN_1 } from '../forging.js'
import { HEARD_LOOP, isState, LOOP_LIMITS } from '../loops.js'
import { unconvertible } from '../tools.js'

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
    programs: HEARD_LOOP,
    limits: LOOP_LIMITS,
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
    programs: HEARD_LOOP,
    run: async ({ create, program }) => {
      const runtime = await create({ limits: LOOP_LIMITS })
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
      programs: HEARD_LOOP,
      limits: LOOP_LIMITS,
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
    programs: HEARD_LOOP,
    limits: LOOP_LIMITS,
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
    programs: HEARD_LOOP,
    requires: ['own-thread'],
    limits: LOOP_LIMITS,
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
    limits: LOOP_LIMITS,
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
  limits: LOOP_LIMITS,
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

export const ABORT_CASES: readonly ConformanceCase[] = [...BEFORE, ...ABORTS, GOES_NO_FURTHER]
