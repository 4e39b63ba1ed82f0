import type { Clock } from '../../ports/clock.js'
import type { Guest } from '../../ports/guest.js'
import type { Launcher, LaunchOptions, PreparedProgram } from '../../ports/launcher.js'
import type { Transformer } from '../../ports/transformer.js'
import { assetPath } from '../assets.js'
import { Spares } from '../spares.js'
import { MemoryWatch } from './memory-watch.js'
import { WorkerGuest } from './worker-guest.js'

/** One watch for the process: resident memory is shared by all runtimes in it. */
const memoryWatch = new MemoryWatch()

export interface WorkerLauncherOptions {
  readonly transformer: Transformer
  readonly clock: Clock
  /** Booted, never-used workers to hold ready from the first run on. */
  readonly warm: number
}

/** TypeScript programs, each in a fresh worker thread. */
export class WorkerLauncher implements Launcher {
  readonly language = 'typescript'
  readonly isolation = 'worker-thread'
  readonly #options: WorkerLauncherOptions
  readonly #alive = new Set<WorkerGuest>()
  readonly #spares: Spares<LaunchOptions, WorkerGuest>

  constructor(options: WorkerLauncherOptions) {
    this.#options = options
    this.#spares = new Spares({ ...options, count: options.warm, make: (launch) => this.#newGuest(launch) })
  }

  async prepare(program: string): Promise<PreparedProgram> {
    const transformed = await this.#options.transformer.transform(program)
    return transformed.ok ? { ok: true, program: transformed.code } : transformed
  }

  launch(options: LaunchOptions): Guest {
    return this.#spares.take(options)
  }

  async dispose(): Promise<void> {
    this.#spares.end()
    const alive = [...this.#alive]
    for (const guest of alive) guest.stop()
    await Promise.all([...alive.map((guest) => guest.ended), this.#options.transformer.dispose?.()])
  }

  #newGuest({ limits, frameCapBytes }: LaunchOptions): WorkerGuest {
    const guest: WorkerGuest = new WorkerGuest({
      entry: assetPath('#worker-entry'),
      clock: this.#options.clock,
      memoryWatch,
      limits,
      frameCapBytes,
      onGone: () => this.#alive.delete(guest),
    })
    this.#alive.add(guest)
    return guest
  }
}
