/** The containers around the value that is being read: those with a frame, and inside of them those of the recursion. */
export class Ancestors {
  #framed: Set<object> | undefined
  readonly #recursed: object[] = []

  /** Whether a container that was met at a depth of the recursion is one of those around it. */
  include(container: object, depth: number): boolean {
    for (let level = 0; level < depth; level++) {
      if (this.#recursed[level] === container) return true
    }
    return this.#framed?.has(container) ?? false
  }

  recurse(container: object, depth: number): void {
    this.#recursed[depth] = container
  }

  addFramed(container: object): void {
    this.#framed ??= new Set()
    this.#framed.add(container)
  }

  deleteFramed(container: object): void {
    this.#framed?.delete(container)
  }
}
