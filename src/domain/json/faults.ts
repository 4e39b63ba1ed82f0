import type { Step } from './path.js'
import type { Suspect } from './suspects.js'

/** Why a container, or what is at a step inside it, cannot cross. */
export interface Fault extends Suspect {
  readonly step?: Step
}

export const CIRCULAR: Fault = { reason: 'a circular reference' }
export const THROWS: Fault = { reason: 'a property that throws' }
export const SYMBOL_KEY: Fault = { reason: 'an object with a symbol as key' }

/** Only a proxy's trap can say so. */
export const NO_LENGTH: Fault = { reason: 'an array without a length' }
export const HOLE: Fault = { reason: 'a hole in a sparse array', hint: 'fill it with null' }
const EXTRA_KEYS: Fault = { reason: 'an array with extra keys', hint: 'use `[...items]`' }
const HIDDEN: Fault = { reason: 'a property that is not enumerable' }
export const CHANGED: Fault = { reason: 'something that changes while it is read' }

const isEnumerable = Object.prototype.propertyIsEnumerable

export const isLength = (count: unknown): boolean => Number.isInteger(count) && (count as number) >= 0

export const isHole = (value: unknown, array: readonly unknown[], index: number): boolean =>
  value === undefined && !Object.hasOwn(array, index)

/** Why an array owns more than its items. */
export const faultOfArray = (array: readonly unknown[], count: number): Fault => {
  for (let step = 0; step < count; step++) {
    if (!Object.hasOwn(array, step)) return { ...HOLE, step }
  }
  return EXTRA_KEYS
}

/** The first of an object's names that is not an own enumerable property, or no longer. */
export const faultOfNames = (object: object, names: readonly string[]): Fault | undefined => {
  const step = names.find((name) => !isEnumerable.call(object, name))
  if (step === undefined) return undefined
  return { ...(Object.hasOwn(object, step) ? HIDDEN : CHANGED), step }
}

/** Which getter threw while an object was copied, if it had one only. */
export const faultOfGetters = (object: object, names: readonly string[]): Fault => {
  const getters = names.filter((name) => Object.getOwnPropertyDescriptor(object, name)?.get !== undefined)
  return getters.length === 1 ? { ...THROWS, step: getters[0] as string } : THROWS
}
