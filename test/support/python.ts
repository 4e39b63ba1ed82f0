import { type CodeRuntimeOptions, createCodeRuntime, type RunResult } from '../../src/index.js'
import type { QuickRun } from './runtimes.js'

/** One run in a Python runtime of its own. */
export const runPython = async (
  program: string,
  options: CodeRuntimeOptions = {},
  { tools, bindings, ...request }: QuickRun = {},
): Promise<RunResult> => {
  await using runtime = await createCodeRuntime({ language: 'python', warm: 0, ...options })
  const namespaces = bindings ?? (tools === undefined ? [] : [{ global: 'tools', functions: tools }])
  return await runtime.run({ program, bindings: namespaces, ...request })
}
