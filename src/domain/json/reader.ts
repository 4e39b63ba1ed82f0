import type { Ancestors } from './ancestors.js'
import { type Cost, extraBytes, ITEM_BYTES, MEMBER_BYTES, NOT_NATIVE } from './cost.js'
import type { JsonEngine } from './engine.js'
import { Entrance, type Source } from './entrance.js'
import { CIRCULAR, HOLE, isHole, THROWS } from './faults.js'
import type { AnyFrame } from './frames.js'
import { Items, itemBatch, MOST_ITEMS } from './items.js'
import { Members, type Slots } from './members.js'
import { isLossyNumber } from './numbers.js'
import type { Pace } from './pace.js'
import { type Reading, type Stop, stopAt } from './reading.js'
import { suspectOfType } from './suspects.js'

interface ReaderOptions {
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

const STOPPED = Symbol('stopped')

/**
 * Copies values for native JSON, each slot read once. It recurses until enough waits to be written, the nesting is
 * too deep for native JSON, or a value is none for it; then it leaves the containers that it is in as frames.
 */
export class Reader {
  readonly #pace: Pace
  readonly #cost: Cost
  readonly #ancestors: Ancestors
  readonly #entrance: Entrance
  #left: AnyFrame[] = []
  #stop: Stop | undefined

  constructor({ engine, pace, cost, ancestors }: ReaderOptions) {
    this.#pace = pace
    this.#cost = cost
    this.#ancestors = ancestors
    this.#entrance = new Entrance({ engine, cost, narrowKeys: pace.narrowKeys })
  }

  /** Reads on in a frame. */
  read(frame: AnyFrame): Reading {
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
          const copy = isHole(value, array, index) ? this.#halt(stopAt(HOLE)) : this.#copy(value, depth)
          pendingBytes = this.#cost.pendingBytes
          if (copy === STOPPED) break
          batch[index - first] = copy
        }
        pendingBytes += ITEM_BYTES + extra
      }
    } catch {
      this.#halt(stopAt(THROWS))
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
      this.#halt(stopAt(THROWS))
    }
    span.next = index
  }

  // A plain copy of a value that native JSON cannot write as it is, or STOPPED.
  #copy(value: unknown, depth: number): unknown {
    if (typeof value === 'object' && value !== null) return this.#copyContainer(value, depth)
    if (typeof value === 'number' && !isLossyNumber(value)) return this.#halt({ kind: 'digits', value })
    return this.#halt(stopAt(suspectOfType(value)))
  }

  #copyContainer(container: object, depth: number): unknown {
    if (this.#ancestors.include(container, depth)) return this.#halt(stopAt(CIRCULAR))
    this.#ancestors.recurse(container, depth)
    return Array.isArray(container) ? this.#copyArray(container, depth + 1) : this.#copyObject(container, depth + 1)
  }

  #copyArray(array: readonly unknown[], depth: number): unknown {
    const count = this.#entrance.enterArray(array)
    if (typeof count !== 'number') return this.#halt(count)
    if (depth > this.#pace.nativeDepth) return this.#leave(new Items(array, count))
    const span = { first: 0, next: 0, count }
    const batch = itemBatch(count)
    this.#items(array, batch, span, depth)
    return span.next === count ? batch : this.#leave(new Items(array, count, span.next, batch))
  }

  #copyObject(object: object, depth: number): unknown {
    const source = this.#entrance.enterObject(object)
    if ('kind' in source) return this.#halt(source)
    const { names, slots } = source
    if (slots === object || depth > this.#pace.nativeDepth) return this.#leave(new Members(object, names, slots))
    const span = { first: 0, next: 0, count: names.length }
    this.#members(source, slots, span, depth)
    return span.next === span.count ? slots : this.#leave(new Members(object, names, slots, span.next))
  }

  #leave(frame: AnyFrame): typeof STOPPED {
    this.#left.push(frame)
    return STOPPED
  }

  #halt(stop: Stop): typeof STOPPED {
    this.#stop = stop
    return STOPPED
  }
}
