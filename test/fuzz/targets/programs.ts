import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { RunEvent } from '../../../src/index.js'
import { anyProgram, type Code } from '../grammar.js'
import { checkResult } from '../invariants.js'
import { printed } from '../printed.js'
import { closeBackends, type OpenBackend, openBackends } from '../runtimes.js'
import type { Target } from '../target.js'

const BUDGETS = { maxLogBytes: 2_048, maxValueBytes: 1_000 }

const functions = {
  add: ({ x, y }: { x: number; y: number }) => x + y,
  echo: (args: unknown) => args,
  fail: () => Promise.reject(new Error('refused')),
}

/** What the contract says is the same whatever the language. Between streams no order is promised. */
const run = async ({ language, runtime }: OpenBackend, program: Code) => {
  const events: RunEvent[] = []
  const onEvent = (event: RunEvent) => void events.push(event)
  const errorClass = { name: 'ToolError', memberNameProperty: 'tool' }
  const bindings = [{ global: 'tools', functions, errorClass }]
  const result = await runtime.run({ program: program[language], bindings, onEvent })
  checkResult(result, BUDGETS)
  const { value, error, calls } = result
  const path = error?.kind === 'invalid-output' ? /\$[^\s:]*/.exec(error.message)?.[0] : undefined
  const isTruncated = result.logs.at(-1)?.startsWith('[code-runtime]') === true
  return {
    value,
    kind: error?.kind,
    path,
    calls: calls.map(({ name, state, argsBytes, error }) => ({ name, state, argsBytes, error })),
    isTruncated,
    ...(isTruncated ? {} : { stdout: printed(events, 'stdout'), stderr: printed(events, 'stderr') }),
  }
}

/** Programs of a grammar in every language: same output, same value, same calls, same kind of failure. */
export const programs: Target = {
  name: 'programs',
  open: async () => {
    const backends = await openBackends({ limits: { ...BUDGETS, maxBindingCalls: 20 } })
    const property = fc.asyncProperty(anyProgram, async (program) => {
      const [first, ...others] = await Promise.all(backends.map((backend) => run(backend, program)))
      for (const other of others) assert.deepEqual(other, first)
    })
    return { property, close: () => closeBackends(backends) }
  },
}
