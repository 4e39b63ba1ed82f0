import type { ResolvedLimits } from '../../domain/limits.js'
import type { Clock } from '../../ports/clock.js'
import type { Guest } from '../../ports/guest.js'
import type { Launcher, LaunchOptions, PreparedProgram } from '../../ports/launcher.js'
import type { Transformer } from '../../ports/transformer.js'
import { assetPath } from '../assets.js'
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
  readonly #spares: WorkerGuest[] = []
  #running = 0
  #isDisposed = false

  constructor(options: WorkerLauncherOptions) {
    this.#options = options
  }

  async prepare(program: string): Promise<PreparedProgram> {
    const transformed = await this.#options.transformer.transform(program)
    return transformed.ok ? { ok: true, program: transformed.code } : transformed
  }

  launch(options: LaunchOptions): Guest {
    const guest = this.#spares.shift() ?? this.#newGuest(options)
    this.#running += 1
    void guest.gone.then(() => {
      this.#running -= 1
      this.#refill(options)
    })
    return guest
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true
    const alive = [...this.#alive]
    for (const guest of alive) guest.stop()
    await Promise.all([...alive.map((guest) => guest.gone), this.#options.transformer.dispose?.()])
  }

  /** While the app is idle: a booting worker would take the processor from a run. */
  #refill(options: LaunchOptions): void {
    if (this.#isDisposed || this.#running > 0) return
    while (this.#spares.length < this.#options.warm) {
      const guest = this.#tryNewGuest(options)
      if (guest === undefined) return
      guest.unref()
      this.#spares.push(guest)
    }
  }

  #tryNewGuest(options: LaunchOptions): WorkerGuest | undefined {
    try {
      return this.#newGuest(options)
    } catch {
      return undefined
    }
  }

  #newGuest({ limits, frameCapBytes }: { limits: ResolvedLimits; frameCapBytes: number }): WorkerGuest {
    const guest: WorkerGuest = new WorkerGuest({
      entry: assetPath('#worker-entry'),
      clock: this.#options.clock,
      memoryWatch,
      limits,
      frameCapBytes,
      onGone: () => this.#forget(guest),
    })
    this.#alive.add(guest)
    return guest
  }

  #forget(guest: WorkerGuest): void {
    this.#alive.delete(guest)
    const index = this.#spares.indexOf(guest)
    if (index !== -1) this.#spares.splice(index, 1)
  }
}
