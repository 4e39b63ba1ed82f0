import type { Clock } from '../../ports/clock.js'
import type { Guest } from '../../ports/guest.js'
import type { Launcher, LaunchOptions, PreparedProgram } from '../../ports/launcher.js'
import type { ProcessControl } from '../../ports/process-control.js'
import { compileGuest } from './bundle.js'
import { Keeper } from './keeper.js'
import { type Interpreter, resolveInterpreter } from './interpreter.js'
import { PythonGuest } from './python-guest.js'
import { stageGuest } from './staging.js'

export interface PythonLauncherOptions {
  readonly pythonBin: string
  readonly cwd: string
  readonly clock: Clock
  readonly processControl: ProcessControl
}

interface Prepared {
  readonly interpreter: Interpreter
  readonly guestBytes: Buffer
}

/** Python programs, each in a fresh CPython process. */
export class PythonLauncher implements Launcher {
  readonly language = 'python'
  readonly isolation = 'process'
  readonly #options: PythonLauncherOptions
  readonly #prepared: Prepared
  readonly #alive = new Set<PythonGuest>()
  readonly #keeper: Keeper

  private constructor(options: PythonLauncherOptions, prepared: Prepared) {
    this.#options = options
    this.#prepared = prepared
    this.#keeper = new Keeper(prepared.interpreter.path)
  }

  /** Finds, probes and prepares the interpreter. Rejects with a ConfigurationError. */
  static async create(options: PythonLauncherOptions): Promise<PythonLauncher> {
    const interpreter = await resolveInterpreter(options.pythonBin)
    return new PythonLauncher(options, { interpreter, guestBytes: compileGuest(interpreter.path) })
  }

  async prepare(program: string): Promise<PreparedProgram> {
    return { ok: true, program }
  }

  launch({ limits, frameCapBytes }: LaunchOptions): Guest {
    const { interpreter, guestBytes } = this.#prepared
    const staged = stageGuest(guestBytes)
    try {
      return this.#track(new PythonGuest({ ...this.#options, interpreter: interpreter.path, staged, limits, frameCapBytes }))
    } catch (error) {
      staged.remove()
      throw error
    }
  }

  async dispose(): Promise<void> {
    const alive = [...this.#alive]
    for (const guest of alive) guest.stop()
    await Promise.all(alive.map((guest) => guest.cleared))
    await this.#keeper.dispose()
  }

  #track(guest: PythonGuest): PythonGuest {
    const { identity } = guest
    this.#alive.add(guest)
    if (identity !== undefined) this.#keeper.watch(identity)
    const forget = (): void => {
      this.#alive.delete(guest)
      if (identity !== undefined) this.#keeper.forget(identity)
    }
    guest.cleared.then(forget, forget)
    return guest
  }
}
