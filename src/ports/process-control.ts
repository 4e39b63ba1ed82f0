import type { Readable } from 'node:stream'
import type { GuestUsage } from '../domain/exit.js'
import type { Transport } from './transport.js'

/** Processes of the operating system, as a process backend needs them. */
export interface ProcessControl {
  /** Starts a process as leader of its own group, with a framed channel on file descriptor 3. Throws what spawn throws. */
  spawn(command: ProcessCommand): ControlledProcess
  /** Signals a whole group, unless it is known to be another's by now. False when nothing was signalled. */
  signalGroup(root: ProcessIdentity, signal: 'SIGTERM' | 'SIGKILL'): boolean
  /**
   * Ends descendants, also those that left the group or whose ancestors are dead: SIGTERM, and SIGKILL after the grace.
   * Resolves when none is left.
   */
  endDescendants(root: ProcessIdentity, graceMs: number): Promise<void>
  /** CPU time of the whole tree, and peak memory of the process itself. Null for what the platform does not tell. */
  treeUsage(root: ProcessIdentity): GuestUsage
  /**
   * For a control whose processes are not of this machine: what `pythonBin` means there, and the guest that it
   * executes. Without it the interpreter is found, probed and made ready here, and a process of this machine ends the
   * guests when the host dies.
   */
  interpreter?(pythonBin: string): Promise<PreparedInterpreter>
}

export interface PreparedInterpreter {
  readonly path: string
  /** The file that is staged for each run. */
  readonly guestBytes: Uint8Array
}

export interface ProcessCommand {
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly frameCapBytes: number
}

export interface ProcessIdentity {
  readonly pid: number
  /** When it was started, in the system's own unit. Undefined when unknown. */
  readonly startTime: string | undefined
  /** What every descendant inherits, `NAME=VALUE` of its environment for instance. */
  readonly mark: string
}

export interface ControlledProcess {
  /** Undefined when the process could not be started. */
  readonly identity: ProcessIdentity | undefined
  readonly channel: Transport
  readonly stdout: Readable
  readonly stderr: Readable
  /** Whether the process and its streams keep the host's process alive; at first they do. */
  ref(): void
  unref(): void
  /** Calls back when the process itself has exited, or could not be started. Its streams may still be open. */
  onExit(exited: (exit: ProcessExit) => void): void
  /** Calls back when it has exited and all its streams are closed. */
  onClose(closed: () => void): void
}

export type ProcessExit =
  | { readonly code: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly startFailure: Error }
