import type { Readable } from 'node:stream'
import type { GuestUsage } from '../domain/exit.js'
import type { Transport } from './transport.js'

/** Processes of the operating system, as a process backend needs them. */
export interface ProcessControl {
  /** Starts a process as leader of its own group, with a framed channel on file descriptor 3. Throws what spawn throws. */
  spawn(command: ProcessCommand): ControlledProcess
  /** Starts a process whose forks are the guests. Absent where there is no such thing. Throws what spawn throws. */
  startForkServer?(command: ForkServerCommand): ForkServer
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

export interface ForkServerCommand {
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** Where forks present themselves: a path in a folder that is private. */
  readonly socketPath: string
  /** Modules that it imports before it is ready, in order. */
  readonly preload: readonly string[]
  /** Gives the server that makes the forks which this one died too early for. May throw. */
  readonly replace?: () => ForkServer
}

/** A process with what runs need already loaded; each run is a fork of it. */
export interface ForkServer {
  /** Undefined when it could not be started. */
  readonly identity: ProcessIdentity | undefined
  /** Resolves when it can fork, or with why it never will. Never rejects. */
  readonly ready: Promise<ForkServerStart>
  /** Whether it may still fork. */
  readonly isAlive: boolean
  /** Resolves when nothing of it is left. Never rejects. */
  readonly gone: Promise<void>
  /** A new fork; before the server is ready, one that starts later. */
  fork(frameCapBytes: number): ControlledProcess
  /** Ends it and what is left of its forks. */
  end(): Promise<void>
}

export type ForkServerStart =
  | { readonly ok: true }
  /** With the module whose import is the reason, if one is. */
  | { readonly ok: false; readonly message: string; readonly module?: string }

export interface ProcessIdentity {
  readonly pid: number
  /** When it was started, in the system's own unit. Undefined when unknown. */
  readonly startTime: string | undefined
  /** What every descendant inherits, `NAME=VALUE` of its environment for instance. */
  readonly mark: string
}

export interface ControlledProcess {
  /** Undefined until it has started, and when it could not be. */
  readonly identity: ProcessIdentity | undefined
  readonly channel: Transport
  readonly stdout: Readable
  readonly stderr: Readable
  /** Whether the process and its streams keep the host's process alive; at first they do. */
  ref(): void
  unref(): void
  /** Calls back when it has started, at once when that is known. Never for one that could not be. */
  onStart(started: (identity: ProcessIdentity) => void): void
  /** Calls back when the process itself has exited, or could not be started. Its streams may still be open. */
  onExit(exited: (exit: ProcessExit) => void): void
  /** Calls back when it has exited and all its streams are closed. */
  onClose(closed: () => void): void
  /** The caller has done with it and its descendants: what is kept for their sake, its pid for instance, may go. */
  release(): void
}

export type ProcessExit =
  | { readonly code: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly startFailure: Error }
  /** It was ended together with what watched over it, so nobody can tell more. */
  | { readonly lost: string }
