import { afterAll } from 'vitest'
import {
  type BindingNamespace,
  type CodeRuntime,
  type CodeRuntimeOptions,
  createCodeRuntime,
  type RunRequest,
  type RunResult,
} from '../../src/index.js'

type Functions = BindingNamespace['functions']

export interface QuickRun extends Omit<RunRequest, 'program' | 'bindings'> {
  /** Members of one namespace, `tools`. */
  readonly tools?: Functions
  readonly bindings?: readonly BindingNamespace[]
}

export interface TestRuntime {
  readonly runtime: Promise<CodeRuntime>
  run(program: string, request?: QuickRun): Promise<RunResult>
}

/** A runtime for a test file; it is disposed when the file is done. */
export const useRuntime = (options: CodeRuntimeOptions = {}): TestRuntime => {
  const runtime = createCodeRuntime(options)
  afterAll(async () => (await runtime).dispose())
  return {
    runtime,
    run: async (program, { tools, bindings, ...request } = {}) =>
      (await runtime).run({ program, bindings: bindings ?? toolsOf(tools), ...request }),
  }
}

export { HOST_TRACES, TOOLS } from '../../src/testing/conformance/tools.js'

/** A TypeScript program that writes its own frames to the channel, and then goes on. */
export const forging = (frames: readonly unknown[], rest = ''): string => `
const { parentPort } = await import('node:worker_threads')
for (const frame of ${JSON.stringify(frames.map((frame) => (typeof frame === 'string' ? frame : JSON.stringify(frame))))}) parentPort.postMessage(frame)
${rest}`

const toolsOf = (functions: Functions | undefined): BindingNamespace[] =>
  functions === undefined ? [] : [{ global: 'tools', functions }]
