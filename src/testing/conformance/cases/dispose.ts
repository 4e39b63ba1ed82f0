import { rejects, strictEqual } from 'node:assert'
import { MisuseError } from '../../../domain/errors.js'
import type { RunEvent } from '../../../domain/outcome.js'
import type { CodeRuntime } from '../../../runtime.js'
import type { ConformanceCase } from '../case.js'
import { ABSENT, hasShape } from '../check.js'
import { deferred, rows, turn } from '../expectations.js'
import { RETURN_1 } from '../forging.js'
import { HEARD_LOOP, isState, LOOP_LIMITS } from '../loops.js'

const DISPOSED = { value: ABSENT, error: { kind: 'abort', message: 'runtime disposed' } }

export const DISPOSE_CASES: readonly ConformanceCase[] = [
  ...rows<[when: string]>(
    ['in the same turn', 'starting', 'running'].map((when) => [`a dispose ${when} ends every run`, when] as const),
    (when) => ({
      section: '9.2',
      programs: HEARD_LOOP,
      run: async ({ create, program }) => {
        const runtime = await create({ limits: LOOP_LIMITS })
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
    programs: HEARD_LOOP,
    run: async ({ create, program }) => {
      const runtime = await create({ limits: LOOP_LIMITS })
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
