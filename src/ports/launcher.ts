import type { LimitName, ResolvedLimits } from '../domain/limits.js'
import type { Guest } from './guest.js'

/** A backend: it turns a program's text into what its guests execute, and gives a fresh guest for every run. */
export interface Launcher {
  /** The language of the programs: 'typescript', 'python', or a name of the integrator's. */
  readonly language: string
  /** What a guest is: 'worker-thread', 'process', or a name of the integrator's. Informs; no security claim. */
  readonly isolation: string
  /** Limits of this package's isolations that this backend enforces as well. */
  readonly limits?: readonly LimitName[]
  /** Checks and translates a program's text. A program that does not parse never gets a guest. */
  prepare(program: string): Promise<PreparedProgram>
  /** A fresh guest, synchronously: what goes wrong is reported by `GuestSink.gone`. */
  launch(options: LaunchOptions): Guest
  /** Ends whatever still lives. Resolves when every guest and all that they left behind is gone. */
  dispose(): Promise<void>
}

export type PreparedProgram =
  | { readonly ok: true; readonly program: string }
  | { readonly ok: false; readonly message: string }

export interface LaunchOptions {
  readonly limits: ResolvedLimits
  readonly frameCapBytes: number
}
