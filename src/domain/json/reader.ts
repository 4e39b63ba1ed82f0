import type { Ancestors } from './ancestors.js'
import {
  CONTAINER_BYTES,
  type Cost,
  extraBytes,
  ITEM_BYTES,
  MEMBER_BYTES,
  NOT_NATIVE,
  SEPARATOR_BYTES,
} from './cost.js'
import type { JsonEngine } from './engine.js'
import {
  CHANGED,
  CIRCULAR,
  type Fault,
  faultOfArray,
  faultOfGetters,
  faultOfNames,
  HOLE,
  isHole,
  isLength,
  NO_LENGTH,
  SYMBOL_KEY,
  THROWS,
} from './faults.js'
import { Items, MOST_ITEMS } from './items.js'
import { Members, type Slots } from './members.js'
import { isLossyNumber } from './numbers.js'
import type { Pace } from './pace.js'
import { isPlainArray, isPlainObject } from './plain.js'
import { suspectOfClass, suspectOfType } from './suspects.js'

/** Why the reader stopped, other than for what waits to be written. */
export type Stop =
  | { readonly kind: 'fault'; readonly fault: Fault }
  | { readonly kind: 'over-budget' }
  | { readonly kind: 'digits'; readonly value: number }

export interface Reading {
  /** The frames inside the frame that were left, outermost first. */
  readonly left: readonly (Items | Members)[]
  readonly stop: Stop | undefined
}

export interface ReaderOptions {
  readonly engine: JsonEngine
  readonly pace: Pace
  readonly cost: Cost
  readonly ancestors: Ancestors
}

interface Span {
  readonly first: number
  readonly count: number
  next: number
}

interface Source {
  readonly names: readonly string[]
  readonly slots: Slots
}

const STOPPED = Symbol('stopped')
const OVER_BUDGET: Stop = { kind: 'over-budget' }

/**
 * Copies values for native JSON, each slot read once. It recurses until enough waits to be written, the nesting is
 * too deep for native JSON, or a value is none for it; then it leaves the containers that it is in as frames.
 */
export class Reader {
  readonly #engine: JsonEngine
  readonly #pace: Pace
  readonly #cost: Cost
  readonly #ancestors: Ancestors
  #left: (Items | Members)[] = []
  #stop: Stop | undefined

  constructor({ engine, pace, cost, ancestors }: ReaderOptions) {
    this.#engine = engine
    this.#pace = pace
    this.#cost = cost
    this.#ancestors = ancestors
  }

  /** Reads on in a frame. */
  read(frame: Items | Members): Reading {
    this.#left = []
    this.#stop = undefined
    if (frame instanceof Items) this.#items(frame.array, frame.batch, frame, 0)
    else this.#members(frame, frame.batch, frame, 0)
    return { left: this.#left.reverse(), stop: this.#stop }
  }

  #items(array: readonly unknown[], batch: unknown[], span: Span, depth: number): void {
    const { first } = span
    const { batchBytes } = this.#pace
    const end = Math.min(span.count, first + MOST_ITEMS)
    let { pendingBytes } = this.#cost
    let index = span.next
    try {
      for (; index < end && pendingBytes < batchBytes; index++) {
        const value = array[index]
        const extra = extraBytes(value)
        if (extra !== NOT_NATIVE) batch[index - first] = value
        else {
          this.#cost.pendingBytes = pendingBytes
          const copy = this.#copy(value, depth)
          pendingBytes = this.#cost.pendingBytes
          if (copy === STOPPED) {
            if (isHole(value, array, index)) this.#fail(HOLE)
            break
          }
          batch[index - first] = copy
        }
        pendingBytes += ITEM_BYTES + extra
      }
    } catch {
      this.#fail(THROWS)
    }
    this.#cost.pendingBytes = pendingBytes
    span.next = index
  }

  #members({ names, slots }: Source, batch: Slots, span: Span, depth: number): void {
    const { batchBytes } = this.#pace
    const cost = this.#cost
    let index = span.next
    try {
      for (; index < names.length && cost.pendingBytes < batchBytes; index++) {
        const name = names[index] as string
        const value = slots[name]
        const extra = extraBytes(value)
        const copy = extra === NOT_NATIVE ? this.#copy(value, depth) : value
        if (copy === STOPPED) break
        if (batch !== slots || copy !== value) batch[name] = copy
        cost.pendingBytes += MEMBER_BYTES + extra + name.length
      }
    } catch {
      this.#fail(THROWS)
    }
    span.next = index
  }

  #copy(value: unknown, depth: number): unknown {
    if (typeof value === 'object' && value !== null) return this.#copyContainer(value, depth)
    if (typeof value === 'number' && !isLossyNumber(value)) this.#stop = { kind: 'digits', value }
    else this.#fail(suspectOfType(value))
    return STOPPED
  }

  #copyContainer(container: object, depth: number): unknown {
    if (this.#ancestors.include(container, depth)) return this.#fail(CIRCULAR)
    this.#ancestors.recurse(container, depth)
    return Array.isArray(container) ? this.#copyArray(container, depth + 1) : this.#copyObject(container, depth + 1)
  }

  #copyArray(array: readonly unknown[], depth: number): unknown {
    if (!isPlainArray(array)) return this.#fail(suspectOfClass(array))
    const count = array.length
    if (!isLength(count)) return this.#fail(NO_LENGTH)
    if (!this.#admit(count * ITEM_BYTES)) return STOPPED
    if (!this.#engine.hasOnlyIndices(array)) return this.#fail(faultOfArray(array, count))
    if (depth > this.#pace.nativeDepth) return this.#leave(new Items(array, count))
    const span = { first: 0, next: 0, count }
    const batch: unknown[] = []
    this.#items(array, batch, span, depth)
    return span.next === count ? batch : this.#leave(new Items(array, count, span.next, batch))
  }

  #copyObject(object: object, depth: number): unknown {
    if (!isPlainObject(object)) return this.#fail(suspectOfClass(object))
    const names = Object.getOwnPropertyNames(object)
    if (!this.#admit(names.length * MEMBER_BYTES)) return STOPPED
    if (Object.getOwnPropertySymbols(object).length > 0) return this.#fail(SYMBOL_KEY)
    return names.length > this.#pace.narrowKeys
      ? this.#leaveWide(object, names)
      : this.#copyNarrow(object, names, depth)
  }

  #leaveWide(object: object, names: readonly string[]): unknown {
    const fault = faultOfNames(object, names)
    return fault === undefined ? this.#leave(new Members(object, names, object as Slots)) : this.#fail(fault)
  }

  #copyNarrow(object: object, names: readonly string[], depth: number): unknown {
    const slots = snapshot(object)
    if (slots === undefined) return this.#fail(faultOfGetters(object, names))
    if (Object.keys(slots).length !== names.length) return this.#fail(faultOfNames(object, names) ?? CHANGED)
    if (depth > this.#pace.nativeDepth) return this.#leave(new Members(object, names, slots))
    const span = { first: 0, next: 0, count: names.length }
    this.#members({ names, slots }, slots, span, depth)
    return span.next === names.length ? slots : this.#leave(new Members(object, names, slots, span.next))
  }

  // Refuses a container over the budget before it is walked.
  #admit(slotsBytes: number): boolean {
    const hasRoom = this.#cost.hasRoom(CONTAINER_BYTES + slotsBytes + SEPARATOR_BYTES)
    if (hasRoom) this.#cost.pendingBytes += CONTAINER_BYTES
    else this.#stop = OVER_BUDGET
    return hasRoom
  }

  #leave(frame: Items | Members): typeof STOPPED {
    this.#left.push(frame)
    return STOPPED
  }

  #fail(fault: Fault): typeof STOPPED {
    this.#stop = { kind: 'fault', fault }
    return STOPPED
  }
}

// One read of each slot, which a getter or a trap may see; undefined when one throws.
const snapshot = (object: object): Slots | undefined => {
  try {
    return { ...object } as Slots
  } catch {
    return undefined
  }
}
