import { thrownText } from '../../domain/text.js'
import type { ControlledProcess, ProcessControl } from '../../ports/process-control.js'
import { fileSignature } from './executable.js'
import { runEnv } from './guest-env.js'
import type { Interpreter } from './interpreter.js'
import { type StagedFile, stageGuest } from './staging.js'

export interface StartedGuest {
  readonly process: ControlledProcess
  readonly staged: StagedFile
}

/** A way to get a fresh process for each guest. */
export interface GuestStarter {
  /** Throws when none can be started now. */
  start(frameCapBytes: number): StartedGuest
  /** Whether a process that was started before is what `start` would give now. */
  isCurrent(): boolean
  /** Ends what it keeps running. All guests are gone. */
  dispose(): Promise<void>
}

export interface StarterOptions {
  /** Without a signature it is taken for what it was. */
  readonly interpreter: Pick<Interpreter, 'path' | 'signature'>
  readonly cwd: string
  readonly guestBytes: Uint8Array
  readonly processControl: ProcessControl
}

/** The interpreter's own options: isolated, no bytecode written, unbuffered. */
export const interpreterArgs = (path: string): readonly string[] => ['-I', '-B', '-u', path]

/** Starts the interpreter anew for each guest. */
export class SpawnStarter implements GuestStarter {
  readonly #options: StarterOptions

  constructor(options: StarterOptions) {
    this.#options = options
  }

  start(frameCapBytes: number): StartedGuest {
    const { interpreter, cwd, guestBytes, processControl } = this.#options
    const { path: file } = interpreter
    const staged = stageGuest(guestBytes)
    try {
      const args = interpreterArgs(staged.path)
      return { staged, process: processControl.spawn({ file, args, env: runEnv(staged.folder), cwd, frameCapBytes }) }
    } catch (error) {
      staged.remove()
      throw new Error(`spawn error: ${thrownText(error)}`)
    }
  }

  isCurrent(): boolean {
    const { path, signature } = this.#options.interpreter
    return signature === undefined || fileSignature(path) === signature
  }

  async dispose(): Promise<void> {}
}
