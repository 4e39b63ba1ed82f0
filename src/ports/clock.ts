/** Time as a run sees it: monotonic, so that a jump of the wall clock ends nothing. */
export interface Clock {
  /** Milliseconds since some fixed point. */
  now(): number
  /** Calls `run` once, `ms` from now, unless the returned function was called before. */
  after(ms: number, run: () => void): CancelTimer
  /** Calls `run` when the current turn of the event loop has ended, its promises settled. */
  afterTurn(run: () => void): void
}

export type CancelTimer = () => void
