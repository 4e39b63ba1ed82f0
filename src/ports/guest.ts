import type { GuestExit, GuestUsage } from '../domain/exit.js'
import type { OutputStream } from '../domain/outcome.js'
import type { StopReason } from '../domain/run-events.js'
import type { Transport, TransportReceiver } from './transport.js'

/** One fresh worker or process that executes one program. */
export interface Guest {
  readonly transport: Transport
  /** Begins the run: budgets count from here, and the sink hears everything from here. Called once. */
  start(sink: GuestSink): void
  /** What the run cost so far. */
  usage(): GuestUsage
  /** Ends the guest, hard where it must be. `GuestSink.gone` follows. Safe to call twice. */
  stop(reason: StopReason): void
  /** Resolves when nothing of it is left, never rejects. Absent: it is gone when `GuestSink.gone` says so. */
  readonly ended?: Promise<unknown>
  /** How long the driver waits for `gone` after `stop`. */
  readonly stopWithinMs: number
}

export interface GuestSink extends TransportReceiver {
  /** Raw output that bypassed the language's streams. */
  stray(stream: OutputStream, chunk: Uint8Array): void
  /** A budget that the backend measures is spent. */
  budget(message: string): void
  /** A bound other than a budget ended the guest, its memory for instance. */
  broken(message: string): void
  /**
   * The guest is gone and its streams are closed; or it was stopped after its `done` and can do nothing more, and the
   * launcher awaits its end. Called once, last.
   */
  gone(exit: GuestExit): void
}
