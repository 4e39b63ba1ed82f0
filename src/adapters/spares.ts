import type { Clock } from '../ports/clock.js'

/** A guest that waited for longer than this is as good as unknown: the app gets a new one. */
const MAX_IDLE_MS = 600_000

/** A guest that can be prepared: booted before it is needed, used once. */
export interface Spare {
  /** Resolves when it is gone. Never rejects. */
  readonly ended: Promise<unknown>
  /** From now on it does not keep the host's process alive; its `start` takes that back. */
  unref(): void
  stop(): void
}

export interface SparesOptions<Launch, Guest extends Spare> {
  /** How many are held ready, from the first run on. */
  readonly count: number
  /** Starts a guest. What it throws fails a run, but never a refill. */
  readonly make: (launch: Launch) => Guest
  /** Whether a guest that was prepared is what `make` would give now. */
  readonly isCurrent?: (guest: Guest) => boolean
  readonly clock: Clock
}

/** Prepared guests, each handed out once. */
export class Spares<Launch, Guest extends Spare> {
  readonly #options: SparesOptions<Launch, Guest>
  /** With the time when each was made. */
  readonly #ready = new Map<Guest, number>()
  #running = 0
  #isEnded = false

  constructor(options: SparesOptions<Launch, Guest>) {
    this.#options = options
  }

  /** A guest for a run: a prepared one if there is one. */
  take(launch: Launch): Guest {
    const guest = this.#takeReady() ?? this.#options.make(launch)
    this.#running += 1
    void guest.ended.then(() => {
      this.#running -= 1
      this.#refill(launch)
    })
    return guest
  }

  /** No more are prepared. */
  end(): void {
    this.#isEnded = true
    this.#ready.clear()
  }

  #takeReady(): Guest | undefined {
    for (const [guest, madeAtMs] of this.#ready) {
      this.#ready.delete(guest)
      if (this.#isUsable(guest, madeAtMs)) return guest
      guest.stop()
    }
    return undefined
  }

  #isUsable(guest: Guest, madeAtMs: number): boolean {
    const { clock, isCurrent = () => true } = this.#options
    return clock.now() - madeAtMs <= MAX_IDLE_MS && isCurrent(guest)
  }

  /** While the app is idle: a booting guest would take the processor from a run. */
  #refill(launch: Launch): void {
    while (!this.#isEnded && this.#running === 0 && this.#ready.size < this.#options.count) {
      const guest = this.#tryMake(launch)
      if (guest === undefined) return
      guest.unref()
      this.#ready.set(guest, this.#options.clock.now())
      void guest.ended.then(() => this.#ready.delete(guest))
    }
  }

  #tryMake(launch: Launch): Guest | undefined {
    try {
      return this.#options.make(launch)
    } catch {
      return undefined
    }
  }
}
