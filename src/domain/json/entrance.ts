import { CONTAINER_BYTES, type Cost, ITEM_BYTES, MEMBER_BYTES, SEPARATOR_BYTES } from './cost.js'
import type { JsonEngine } from './engine.js'
import { CHANGED, faultOfArray, faultOfGetters, faultOfNames, isLength, NO_LENGTH, SYMBOL_KEY } from './faults.js'
import type { Slots } from './members.js'
import { PlainCheck } from './plain.js'
import { OVER_BUDGET, type Stop, stopAt } from './reading.js'
import { suspectOfClass } from './suspects.js'

/** Where the members of an object are read: from itself if it is wide, else from a copy, whose slots were read. */
export interface Source {
  readonly names: readonly string[]
  readonly slots: Slots
}

interface EntranceOptions {
  readonly engine: JsonEngine
  readonly cost: Cost
  readonly narrowKeys: number
}

/** Lets containers in that are plain, complete and within the budget, before their slots are walked. */
export class Entrance {
  readonly #engine: JsonEngine
  readonly #cost: Cost
  readonly #narrowKeys: number
  readonly #plain = new PlainCheck()

  constructor({ engine, cost, narrowKeys }: EntranceOptions) {
    this.#engine = engine
    this.#cost = cost
    this.#narrowKeys = narrowKeys
  }

  /** The count of an array's items. */
  enterArray(array: readonly unknown[]): number | Stop {
    if (!this.#plain.isPlain(array)) return stopAt(suspectOfClass(array))
    const count = array.length
    if (!isLength(count)) return stopAt(NO_LENGTH)
    if (!this.#admit(count * ITEM_BYTES)) return OVER_BUDGET
    return this.#engine.hasOnlyIndices(array) ? count : stopAt(faultOfArray(array, count))
  }

  enterObject(object: object): Source | Stop {
    if (!this.#plain.isPlain(object)) return stopAt(suspectOfClass(object))
    const names = Object.getOwnPropertyNames(object)
    if (!this.#admit(names.length * MEMBER_BYTES)) return OVER_BUDGET
    if (Object.getOwnPropertySymbols(object).length > 0) return stopAt(SYMBOL_KEY)
    return names.length > this.#narrowKeys ? enterWide(object, names) : enterNarrow(object, names)
  }

  #admit(slotsBytes: number): boolean {
    if (!this.#cost.hasRoom(CONTAINER_BYTES + slotsBytes + SEPARATOR_BYTES)) return false
    this.#cost.pendingBytes += CONTAINER_BYTES
    return true
  }
}

const enterWide = (object: object, names: readonly string[]): Source | Stop => {
  const fault = faultOfNames(object, names)
  return fault === undefined ? { names, slots: object as Slots } : stopAt(fault)
}

const enterNarrow = (object: object, names: readonly string[]): Source | Stop => {
  const slots = snapshot(object)
  if (slots === undefined) return stopAt(faultOfGetters(object, names))
  if (Object.keys(slots).length === names.length) return { names, slots }
  return stopAt(faultOfNames(object, names) ?? CHANGED)
}

// Undefined when a getter or a trap throws.
const snapshot = (object: object): Slots | undefined => {
  try {
    return { ...object } as Slots
  } catch {
    return undefined
  }
}
