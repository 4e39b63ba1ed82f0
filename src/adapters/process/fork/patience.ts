/** Notices that orders are not answered any more. */
export class Patience {
  readonly #ms: number
  readonly #lost: () => void
  #unanswered = 0
  #timer: NodeJS.Timeout | undefined

  /** Calls back when for so long no answer came although one was due. */
  constructor(ms: number, lost: () => void) {
    this.#ms = ms
    this.#lost = lost
  }

  asked(): void {
    this.#unanswered += 1
    if (this.#timer === undefined) this.#arm()
  }

  answered(): void {
    this.#unanswered -= 1
    this.end()
    if (this.#unanswered > 0) this.#arm()
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #arm(): void {
    const timer = setTimeout(() => {
      // In a host that was busy, the answer may be there already: it is read in the turn that begins now.
      setImmediate(() => this.#timer === timer && this.#lost())
    }, this.#ms)
    this.#timer = timer.unref()
  }
}
