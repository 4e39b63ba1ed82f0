import type { CancelTimer, Clock } from '../ports/clock.js'

interface Timer {
  readonly atMs: number
  readonly run: () => void
}

export interface ManualClockOptions {
  /** 'manual' (default): a turn ends by `endTurn()` alone; 'real': turns of the event loop end as they do. */
  readonly turns?: 'manual' | 'real'
}

/** A clock that stands still until it is told to advance. Timers fire in order, inside `advance()`. */
export class ManualClock implements Clock {
  readonly #timers = new Set<Timer>()
  readonly #turns: 'manual' | 'real'
  #nowMs = 0
  #afterTurn: (() => void)[] = []

  constructor({ turns = 'manual' }: ManualClockOptions = {}) {
    this.#turns = turns
  }

  now(): number {
    return this.#nowMs
  }

  after(ms: number, run: () => void): CancelTimer {
    const timer = { atMs: this.#nowMs + ms, run }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  afterTurn(run: () => void): void {
    this.#afterTurn.push(run)
    if (this.#turns === 'real') setImmediate(() => this.endTurn())
  }

  /** How many timers wait. */
  get pendingTimers(): number {
    return this.#timers.size
  }

  /** Lets `ms` pass. Every timer that falls due fires at its own time, in a turn of its own. */
  advance(ms: number): void {
    const untilMs = this.#nowMs + ms
    for (let timer = this.#nextTimer(untilMs); timer !== undefined; timer = this.#nextTimer(untilMs)) {
      this.#timers.delete(timer)
      this.#nowMs = timer.atMs
      timer.run()
      this.endTurn()
    }
    this.#nowMs = untilMs
  }

  /** Ends the turn: runs what waits for its end. */
  endTurn(): void {
    for (const run of this.#afterTurn.splice(0)) run()
  }

  #nextTimer(untilMs: number): Timer | undefined {
    const due = [...this.#timers].filter((timer) => timer.atMs <= untilMs)
    return due.reduce<Timer | undefined>(
      (first, timer) => (first && first.atMs <= timer.atMs ? first : timer),
      undefined,
    )
  }
}
