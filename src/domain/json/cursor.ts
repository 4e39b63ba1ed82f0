/** Reads a container that JSON.parse made, slot by slot. */
export class Cursor {
  readonly #slots: Readonly<Record<string | number, unknown>>
  readonly #names: readonly string[] | undefined
  readonly count: number
  index = 0

  constructor(container: object) {
    this.#slots = container as Readonly<Record<string | number, unknown>>
    this.#names = Array.isArray(container) ? undefined : Object.keys(container)
    this.count = Array.isArray(container) ? container.length : (this.#names?.length ?? 0)
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
