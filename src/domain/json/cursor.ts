/** Reads a container that JSON.parse made, slot by slot. */
export class Cursor {
  readonly count: number
  index = 0
  readonly #slots: Readonly<Record<string | number, unknown>>
  readonly #names: readonly string[] | undefined

  constructor(container: object) {
    const names = Array.isArray(container) ? undefined : Object.keys(container)
    this.count = (names ?? (container as readonly unknown[])).length
    this.#slots = container as Readonly<Record<string | number, unknown>>
    this.#names = names
  }

  get isDone(): boolean {
    return this.index === this.count
  }

  /** The name of the member at `index`; undefined in an array. */
  get name(): string | undefined {
    return this.#names?.[this.index]
  }

  get value(): unknown {
    return this.#slots[this.name ?? this.index]
  }
}
