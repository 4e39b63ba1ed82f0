import { Frame } from './frame.js'

export const MOST_ITEMS = 4096
const FEW_ITEMS = 16

// V8 writes a packed array faster than one that was made with holes.
const PACKED: readonly unknown[] = Array.from({ length: MOST_ITEMS }, () => 0)

/** Room for items, to be filled from the start and cut at the end. More than it has are no error, only slower. */
export const itemBatch = (count: number): unknown[] => PACKED.slice(0, count)

/** An array that is read in more than one go. */
export class Items extends Frame {
  readonly array: readonly unknown[]
  #batch: unknown[] | undefined
  #room = MOST_ITEMS

  constructor(array: readonly unknown[], count: number, next = 0, batch?: unknown[]) {
    super(array, count, next)
    this.array = array
    this.#batch = batch
  }

  get opening(): string {
    return '['
  }

  get closing(): string {
    return ']'
  }

  /** Holds the item at `first` first. */
  get batch(): unknown[] {
    this.#batch ??= itemBatch(Math.min(this.#room, this.count - this.first))
    return this.#batch
  }

  takeBatch(): unknown[] {
    const batch = this.#batch ?? []
    batch.length = this.next - this.first
    this.#batch = undefined
    this.#room = FEW_ITEMS + batch.length * 4
    return batch
  }

  step(): number {
    return this.next
  }

  key(): string {
    return ''
  }
}
