import { afterAll, beforeAll, describe } from 'vitest'
import { type CodeRuntime, type CodeRuntimeOptions, createCodeRuntime, type RunResult } from '../../src/index.js'
import type { QuickRun } from './runtimes.js'

/** The ways in which a Python guest comes to be, as the options for it. */
const WAYS: readonly (readonly [title: string, options: CodeRuntimeOptions])[] = [
  ['in a process', { language: 'python', warm: 0 }],
  ['from a fork server', { language: 'python', warm: 0, forkServer: true }],
]

/** Registers a suite once for each way in which a Python guest comes to be. */
export const onEveryPython = (suite: (options: CodeRuntimeOptions) => void): void => {
  for (const [title, options] of WAYS) describe(title, () => suite(options))
}

type Run = (program: string, request?: QuickRun) => Promise<RunResult>

/** A Python runtime for the suite that asks; it is made when the suite begins and disposed with it. */
export const usePython = (options: CodeRuntimeOptions): Run => {
  let runtime: CodeRuntime
  beforeAll(async () => {
    runtime = await createCodeRuntime({ language: 'python', warm: 0, ...options })
  })
  afterAll(() => runtime.dispose())
  return (program, request) => runtime.run(toRequest(program, request))
}

/** One run in a Python runtime of its own. */
export const runPython = async (
  program: string,
  options: CodeRuntimeOptions = {},
  request: QuickRun = {},
): Promise<RunResult> => {
  await using runtime = await createCodeRuntime({ language: 'python', warm: 0, ...options })
  return await runtime.run(toRequest(program, request))
}

const toRequest = (program: string, { tools, bindings, ...request }: QuickRun = {}) => ({
  program,
  bindings: bindings ?? (tools === undefined ? [] : [{ global: 'tools', functions: tools }]),
  ...request,
})
