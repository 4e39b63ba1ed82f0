import { Frame } from './frame.js'

export type Slots = Record<string, unknown>

/** An object that is read in more than one go, from itself or from a copy. */
export class Members extends Frame {
  readonly names: readonly string[]
  readonly slots: Slots
  #batch: Slots | undefined

  constructor(source: object, names: readonly string[], slots: Slots, next = 0) {
    super(source, names.length, next)
    this.names = names
    this.slots = slots
    for (const name of names.slice(0, next)) this.batch[name] = slots[name]
  }

  get opening(): string {
    return '{'
  }

  get closing(): string {
    return '}'
  }

  get batch(): Slots {
    this.#batch ??= withoutPrototype()
    return this.#batch
  }

  takeBatch(): Slots {
    const { batch } = this
    this.#batch = undefined
    return batch
  }

  step(): string {
    return this.names[this.next] as string
  }

  key(): string {
    return `${JSON.stringify(this.step())}:`
  }
}

// `__proto__` is a key like any other here.
const withoutPrototype = (): Slots => ({ __proto__: null }) as unknown as Slots
