import { resolve } from 'node:path'
import { ConfigurationError } from '../../domain/errors.js'
import type { Clock } from '../../ports/clock.js'
import type { Guest } from '../../ports/guest.js'
import type { Launcher, LaunchOptions, PreparedProgram } from '../../ports/launcher.js'
import type { PreparedInterpreter, ProcessControl } from '../../ports/process-control.js'
import { Spares } from '../spares.js'
import { guestBundle } from './bundle.js'
import { ForkStarter } from './fork-starter.js'
import { type GuestStarter, SpawnStarter, type StartedGuest, type StarterOptions } from './guest-starter.js'
import { resolveInterpreter } from './interpreter.js'
import { Keeper } from './keeper.js'
import { PythonGuest } from './python-guest.js'

export interface PythonLauncherOptions {
  readonly pythonBin: string
  readonly cwd: string
  readonly clock: Clock
  readonly processControl: ProcessControl
  /** Started, never-used interpreters to hold ready from the first run on. */
  readonly warm: number
  /** Modules that a fork server imports once; without it each guest is an interpreter of its own. */
  readonly preload?: readonly string[] | undefined
  readonly platform?: NodeJS.Platform
}

/** Python programs, each in a fresh CPython process. */
export class PythonLauncher implements Launcher {
  readonly language = 'python'
  readonly isolation = 'process'
  readonly #options: PythonLauncherOptions
  readonly #starter: GuestStarter
  readonly #alive = new Set<PythonGuest>()
  readonly #keeper: Keeper | undefined
  readonly #spares: Spares<LaunchOptions, PythonGuest>

  private constructor(options: PythonLauncherOptions, starter: GuestStarter, keeper: Keeper | undefined) {
    this.#options = options
    this.#starter = starter
    this.#keeper = keeper
    this.#spares = new Spares({
      count: options.warm,
      make: (launch) => this.#newGuest(launch),
      isCurrent: (guest) => guest.isAlive && starter.isCurrent(),
      clock: options.clock,
    })
  }

  /** Finds, probes and prepares the interpreter. Rejects with a ConfigurationError. */
  static async create(options: PythonLauncherOptions): Promise<PythonLauncher> {
    requireUnix(options.platform)
    const cwd = resolve(options.cwd)
    const given = await options.processControl.interpreter?.(options.pythonBin)
    const { keeper, ...prepared } =
      given === undefined ? await prepareHere(options.pythonBin, cwd) : prepareThere(given)
    const starter = await createStarter(options, { ...options, ...prepared, cwd }, keeper)
    return new PythonLauncher(options, starter, keeper)
  }

  async prepare(program: string): Promise<PreparedProgram> {
    return { ok: true, program }
  }

  launch(options: LaunchOptions): Guest {
    return this.#spares.take(options)
  }

  async dispose(): Promise<void> {
    this.#spares.end()
    const alive = [...this.#alive]
    for (const guest of alive) guest.stop()
    await Promise.all(alive.map((guest) => guest.ended))
    await this.#starter.dispose()
    await this.#keeper?.dispose()
  }

  #newGuest({ limits, frameCapBytes }: LaunchOptions): PythonGuest {
    const { clock, processControl } = this.#options
    const started = this.#starter.start(frameCapBytes)
    return this.#track(new PythonGuest({ ...started, limits, clock, processControl }), started)
  }

  #track(guest: PythonGuest, { staged }: StartedGuest): PythonGuest {
    this.#alive.add(guest)
    void guest.started.then((identity) => {
      if (identity === undefined) return
      this.#keeper?.watch(identity, staged.folder)
      void guest.ended.then(() => this.#keeper?.forget(identity))
    })
    void guest.ended.then(() => this.#alive.delete(guest))
    return guest
  }
}

type Prepared = Pick<StarterOptions, 'interpreter' | 'guestBytes'> & { readonly keeper: Keeper | undefined }

const prepareHere = async (pythonBin: string, cwd: string): Promise<Prepared> => {
  const interpreter = await resolveInterpreter(pythonBin)
  const guestBytes = await guestBundle(interpreter, cwd)
  return { interpreter, guestBytes, keeper: new Keeper(interpreter.path) }
}

/** A process control that brings its interpreter sees to the end of its processes too. */
const prepareThere = ({ path, guestBytes }: PreparedInterpreter): Prepared => ({
  interpreter: { path, signature: undefined },
  guestBytes,
  keeper: undefined,
})

const createStarter = async (
  { preload }: PythonLauncherOptions,
  options: StarterOptions,
  keeper: Keeper | undefined,
): Promise<GuestStarter> => {
  if (preload === undefined) return new SpawnStarter(options)
  try {
    return await ForkStarter.create({ ...options, preload, keeper })
  } catch (error) {
    await keeper?.dispose()
    throw error
  }
}

const requireUnix = (platform = process.platform): void => {
  if (platform !== 'win32') return
  throw new ConfigurationError(
    'Expected `language` to be \'typescript\' on Windows: Python requires a Unix platform, got `"python"`',
  )
}
