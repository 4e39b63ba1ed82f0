import { Frame } from './frame.js'

/** The most items that wait in one array. */
export const MOST_ITEMS = 4096
const FEW_ITEMS = 16

// V8 writes a packed array faster than one that was made with holes, and fills it faster if its items may be anything.
const PACKED: readonly unknown[] = Array.from({ length: MOST_ITEMS }, () => null)

/** An array to put items into, from the start on, with about the room that they need. */
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

  /** For the items from the one at `first` on. */
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
