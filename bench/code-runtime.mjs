// The build, by path: `bench/` is a package of its own, so the name `code-runtime` does not lead to it.
import { createCodeRuntime } from '../dist/index.js'

export { createCodeRuntime }

/** A runtime, or why its options are refused: for options that this version may not have. */
export const tryRuntime = async (options) => {
  try {
    return { runtime: await createCodeRuntime(options) }
  } catch (error) {
    if (error.name !== 'ConfigurationError') throw error
    return { refusal: error.message.split('\n')[0] }
  }
}

/** Runs a job and requires its value: a figure of a wrong result is worth nothing. */
export const runJob = async (runtime, { program, bindings, expected }) => {
  const { value, error } = await runtime.run({ program, ...(bindings && { bindings }) })
  if (error !== undefined) throw new Error(`${error.kind}: ${error.message}\n${program}`)
  if (expected !== undefined && JSON.stringify(value) !== JSON.stringify(expected)) {
    throw new Error(`expected ${JSON.stringify(expected)}, got ${JSON.stringify(value)}\n${program}`)
  }
  return value
}
