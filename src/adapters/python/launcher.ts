import { resolve } from 'node:path'
import { ConfigurationError } from '../../domain/errors.js'
import { thrownText } from '../../domain/text.js'
import type { Clock } from '../../ports/clock.js'
import type { Guest } from '../../ports/guest.js'
import type { Launcher, LaunchOptions, PreparedProgram } from '../../ports/launcher.js'
import type { PreparedInterpreter, ProcessControl } from '../../ports/process-control.js'
import { Spares } from '../spares.js'
import { guestBundle } from './bundle.js'
import { fileSignature } from './executable.js'
import { resolveInterpreter } from './interpreter.js'
import { Keeper } from './keeper.js'
import { PythonGuest } from './python-guest.js'
import { type StagedFile, stageGuest } from './staging.js'

export interface PythonLauncherOptions {
  readonly pythonBin: string
  readonly cwd: string
  readonly clock: Clock
  readonly processControl: ProcessControl
  /** Started, never-used interpreters to hold ready from the first run on. */
  readonly warm: number
  readonly platform?: NodeJS.Platform
}

interface Prepared {
  readonly cwd: string
  readonly interpreter: string
  readonly guestBytes: Uint8Array
  /** Whether the interpreter is the one that a prepared guest was started with. */
  readonly isCurrent: () => boolean
  /** None for processes of another machine. */
  readonly keeper: Keeper | undefined
}

/** Python programs, each in a fresh CPython process. */
export class PythonLauncher implements Launcher {
  readonly language = 'python'
  readonly isolation = 'process'
  readonly #options: PythonLauncherOptions
  readonly #prepared: Prepared
  readonly #alive = new Set<PythonGuest>()
  readonly #spares: Spares<LaunchOptions, PythonGuest>

  private constructor(options: PythonLauncherOptions, prepared: Prepared) {
    this.#options = options
    this.#prepared = prepared
    this.#spares = new Spares({
      count: options.warm,
      make: (launch) => this.#newGuest(launch),
      isCurrent: prepared.isCurrent,
      clock: options.clock,
    })
  }

  /** Finds, probes and prepares the interpreter. Rejects with a ConfigurationError. */
  static async create(options: PythonLauncherOptions): Promise<PythonLauncher> {
    requireUnix(options.platform)
    const cwd = resolve(options.cwd)
    const given = await options.processControl.interpreter?.(options.pythonBin)
    const prepared = given === undefined ? await prepareHere(options.pythonBin, cwd) : prepareThere(given, cwd)
    return new PythonLauncher(options, prepared)
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
    await this.#prepared.keeper?.dispose()
  }

  #newGuest(options: LaunchOptions): PythonGuest {
    const staged = stageGuest(this.#prepared.guestBytes)
    try {
      return this.#track(this.#spawn(options, staged), staged)
    } catch (error) {
      staged.remove()
      throw new Error(`spawn error: ${thrownText(error)}`)
    }
  }

  #spawn(options: LaunchOptions, staged: StagedFile): PythonGuest {
    const { cwd, interpreter } = this.#prepared
    return new PythonGuest({ ...this.#options, ...options, cwd, interpreter, staged })
  }

  #track(guest: PythonGuest, { folder }: StagedFile): PythonGuest {
    const { identity } = guest
    this.#alive.add(guest)
    const { keeper } = this.#prepared
    if (identity !== undefined) keeper?.watch(identity, folder)
    void guest.ended.then(() => {
      this.#alive.delete(guest)
      if (identity !== undefined) keeper?.forget(identity)
    })
    return guest
  }
}

const prepareHere = async (pythonBin: string, cwd: string): Promise<Prepared> => {
  const interpreter = await resolveInterpreter(pythonBin)
  const { path, signature } = interpreter
  const isCurrent = (): boolean => fileSignature(path) === signature
  const guestBytes = await guestBundle(interpreter, cwd)
  return { cwd, interpreter: path, guestBytes, isCurrent, keeper: new Keeper(path) }
}

/** A process control that brings its interpreter sees to the end of its processes too. */
const prepareThere = ({ path, guestBytes }: PreparedInterpreter, cwd: string): Prepared => ({
  cwd,
  interpreter: path,
  guestBytes,
  isCurrent: () => true,
  keeper: undefined,
})

const requireUnix = (platform = process.platform): void => {
  if (platform !== 'win32') return
  throw new ConfigurationError(
    'Expected `language` to be \'typescript\' on Windows: Python requires a Unix platform, got `"python"`',
  )
}
