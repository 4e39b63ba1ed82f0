import { innerText } from './native.js'
import type { Step } from './path.js'

/**
 * A container that is read in more than one go. Its slots before `first` are text already, those from `first` to
 * `next` wait in a batch for native JSON, and at `next` the reading goes on.
 */
export abstract class Frame {
  readonly source: object
  readonly count: number
  first = 0
  next: number

  constructor(source: object, count: number, next: number) {
    this.source = source
    this.count = count
    this.next = next
  }

  abstract get opening(): string
  abstract get closing(): string

  /** The way from the container to the slot at `next`. */
  abstract step(): Step

  /** What goes right before the value at `next`. */
  abstract key(): string

  /** The batch as a container of its own; the frame keeps none. */
  abstract takeBatch(): object

  get isDone(): boolean {
    return this.next === this.count
  }

  /** The text of what waits, with the comma before it. */
  takeText(): string {
    const comma = this.#comma()
    const isEmpty = this.next === this.first
    const batch = this.takeBatch()
    this.first = this.next
    return isEmpty ? '' : comma + innerText(batch)
  }

  /** What goes before the text of the value at `next`. */
  lead(): string {
    return this.#comma() + this.key()
  }

  /** The value at `next` is text. */
  skip(): void {
    this.next += 1
    this.first = this.next
  }

  #comma(): string {
    return this.first === 0 ? '' : ','
  }
}
