/** Lets so many in at a time; the rest waits in order. */
export class Admission {
  readonly #waiting = new Set<() => void>()
  #free: number

  constructor(capacity: number) {
    this.#free = capacity
  }

  /** Calls `enter` when there is room, at once if there is. The returned function takes a call back that has not come. */
  request(enter: () => void): () => void {
    this.#waiting.add(enter)
    this.#admit()
    return () => this.#waiting.delete(enter)
  }

  /** One of those that were let in has left. */
  leave(): void {
    this.#free += 1
    this.#admit()
  }

  #admit(): void {
    while (this.#free > 0) {
      const [enter] = this.#waiting
      if (enter === undefined) return
      this.#waiting.delete(enter)
      this.#free -= 1
      enter()
    }
  }
}
