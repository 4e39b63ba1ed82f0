import type { Limits } from '../../domain/limits.js'
import type { CodeRuntime } from '../../runtime.js'
import type { ConformanceBackend } from './backend.js'

/** One runtime for all cases of a section that have the same limits. */
export class RuntimePool {
  readonly #backend: ConformanceBackend
  readonly #runtimes = new Map<string, Promise<CodeRuntime>>()

  constructor(backend: ConformanceBackend) {
    this.#backend = backend
  }

  get(limits: Limits): Promise<CodeRuntime> {
    const key = JSON.stringify(limits)
    const known = this.#runtimes.get(key)
    if (known !== undefined) return known
    const runtime = this.#backend.create({ limits })
    this.#runtimes.set(key, runtime)
    return runtime
  }

  async dispose(): Promise<void> {
    const all = [...this.#runtimes.values()]
    this.#runtimes.clear()
    await Promise.all(all.map(async (runtime) => (await runtime).dispose()))
  }
}
