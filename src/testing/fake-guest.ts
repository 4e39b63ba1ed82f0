import { type GuestExit, type GuestUsage, NOTHING_MEASURED } from '../domain/exit.js'
import type { OutputStream } from '../domain/outcome.js'
import type { StopReason } from '../domain/run-events.js'
import type { Guest, GuestSink } from '../ports/guest.js'
import { FakeTransport } from './fake-transport.js'

/** A guest that the test plays: frames by `transport`, output, budgets and death by its methods. */
export class FakeGuest implements Guest {
  readonly transport = new FakeTransport()
  /** Why the driver stopped it, if it did. */
  readonly stopReasons: StopReason[] = []
  stopWithinMs = 1_000
  measured: GuestUsage = NOTHING_MEASURED
  /** False for a guest that does not go when it is stopped. */
  goesWhenStopped = true
  #sink: GuestSink | undefined
  #isGone = false

  start(sink: GuestSink): void {
    this.#sink = sink
    this.transport.open(sink)
  }

  usage(): GuestUsage {
    return this.measured
  }

  stop(reason: StopReason): void {
    this.stopReasons.push(reason)
    if (this.goesWhenStopped) this.exit({ type: 'exited', code: 0 })
  }

  /** Output that bypasses the language's streams. */
  write(stream: OutputStream, chunk: string | Uint8Array): void {
    this.#sink?.stray(stream, typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  }

  spendBudget(message: string): void {
    this.#sink?.budget(message)
  }

  breakDown(message: string): void {
    this.#sink?.broken(message)
  }

  /** The guest is gone. A second time is ignored. */
  exit(exit: GuestExit): void {
    if (this.#isGone) return
    this.#isGone = true
    this.transport.close()
    this.#sink?.gone(exit)
  }
}
