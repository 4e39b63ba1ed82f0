import { jsonTextBytes } from '../json-cost.js'
import { Cursor } from './cursor.js'
import { isLossyNumber, isNativeNumber, spellNumber } from './numbers.js'
import { type Step, spellPath } from './path.js'

export type Measured =
  | { readonly kind: 'fits'; readonly bytes: number }
  | { readonly kind: 'over-budget' }
  | { readonly kind: 'lossy'; readonly path: string; readonly reason: string }

/** Measures the text of one value that JSON.parse made. Over budget counts before lossy, wherever the two are. */
export class Meter {
  readonly #maxBytes: number
  readonly #stack: Cursor[] = []
  #bytes = 0
  /** What the slots that were not reached yet cost at least. */
  #aheadBytes = 0
  #lossy: Measured | undefined

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  run(root: unknown): Measured {
    this.#value(root)
    for (let cursor = this.#stack.at(-1); cursor !== undefined && this.#roomBytes >= 0; cursor = this.#stack.at(-1)) {
      if (cursor.isDone) this.#close()
      else this.#slot(cursor)
    }
    if (this.#roomBytes < 0) return { kind: 'over-budget' }
    return this.#lossy ?? { kind: 'fits', bytes: this.#bytes }
  }

  get #roomBytes(): number {
    return this.#maxBytes - this.#bytes - this.#aheadBytes
  }

  #slot(cursor: Cursor): void {
    const { name, value } = cursor
    this.#aheadBytes -= leastBytes(name)
    if (name !== undefined) this.#string(name)
    if (typeof value === 'object' && value !== null) return this.#open(value)
    this.#scalar(value)
    cursor.index += 1
  }

  #value(value: unknown): void {
    if (typeof value === 'object' && value !== null) this.#open(value)
    else this.#scalar(value)
  }

  #scalar(value: unknown): void {
    if (typeof value === 'string') this.#string(value)
    else if (typeof value === 'number') this.#number(value)
    else this.#bytes += String(value).length
  }

  #string(text: string): void {
    this.#bytes += QUOTES_BYTES
    this.#bytes += jsonTextBytes(text, this.#roomBytes) ?? Number.POSITIVE_INFINITY
  }

  #number(value: number): void {
    this.#bytes += numberBytes(value)
    if (isLossyNumber(value)) this.#lossy ??= { kind: 'lossy', path: this.#path(), reason: spellNumber(value) }
  }

  // Brackets, commas and colons are known at once, so that a container over the budget is never walked.
  #open(container: object): void {
    const cursor = new Cursor(container)
    const { count, name } = cursor
    const colonsBytes = Array.isArray(container) ? 0 : count
    this.#bytes += BRACKETS_BYTES + Math.max(0, count - 1) + colonsBytes
    this.#aheadBytes += count * leastBytes(name)
    this.#stack.push(cursor)
  }

  #close(): void {
    this.#stack.pop()
    const parent = this.#stack.at(-1)
    if (parent !== undefined) parent.index += 1
  }

  #path(): string {
    return spellPath(this.#stack.map(({ name, index }): Step => name ?? index))
  }
}

const QUOTES_BYTES = 2
const BRACKETS_BYTES = 2

const leastBytes = (name: string | undefined): number => (name === undefined ? 1 : QUOTES_BYTES + 1)

const numberBytes = (value: number): number =>
  Number.isInteger(value) && isNativeNumber(value) ? integerBytes(value) : spellNumber(value).length

const integerBytes = (value: number): number => {
  let bytes = value < 0 ? 2 : 1
  for (let bound = 10; bound <= Math.abs(value); bound *= 10) bytes += 1
  return bytes
}
