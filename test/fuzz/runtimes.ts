import { type CodeRuntime, type CodeRuntimeOptions, createCodeRuntime } from '../../src/index.js'
import { BACKENDS, type FuzzedBackend } from './backends.js'

export interface OpenBackend extends FuzzedBackend {
  readonly runtime: CodeRuntime
}

/** A runtime of every backend. */
export const openBackends = (options: CodeRuntimeOptions = {}): Promise<OpenBackend[]> =>
  Promise.all(
    BACKENDS.map(async (backend) => ({
      ...backend,
      runtime: await createCodeRuntime({
        ...backend.options,
        ...options,
        limits: { ...backend.options.limits, ...options.limits },
      }),
    })),
  )

export const closeBackends = async (backends: readonly OpenBackend[]): Promise<void> => {
  await Promise.all(backends.map(({ runtime }) => runtime.dispose()))
}
