import { AssertionError } from 'node:assert'
import { isDeepStrictEqual } from 'node:util'

/** In a shape: the key must not be there. */
export const ABSENT = Symbol('absent')

/**
 * Throws unless a value has a shape: a RegExp matches a text, a function is a predicate, an array has as many items of
 * those shapes, an object has at least those members, anything else is equal.
 */
export const hasShape = (actual: unknown, shape: unknown): void => {
  const place = misfit(actual, shape, '$')
  if (place === undefined) return
  throw new AssertionError({
    message: `Expected ${place.path} to be ${show(place.shape)}, got ${show(place.actual)}`,
    actual,
    expected: shape,
    operator: 'hasShape',
  })
}

interface Misfit {
  readonly path: string
  readonly actual: unknown
  readonly shape: unknown
}

const misfit = (actual: unknown, shape: unknown, path: string): Misfit | undefined => {
  const isFit = fits(actual, shape)
  if (isFit !== undefined) return isFit ? undefined : { path, actual, shape }
  for (const [key, part] of Object.entries(shape as object)) {
    const found = misfit(memberOf(actual as object, key), part, `${path}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}

/** Undefined when the answer lies with the members. */
const fits = (actual: unknown, shape: unknown): boolean | undefined => {
  if (shape instanceof RegExp) return typeof actual === 'string' && shape.test(actual)
  if (typeof shape === 'function') return Boolean(shape(actual))
  if (typeof shape !== 'object' || shape === null) return isDeepStrictEqual(actual, shape)
  if (typeof actual !== 'object' || actual === null) return false
  if (Array.isArray(shape) && (!Array.isArray(actual) || actual.length !== shape.length)) return false
  return undefined
}

const memberOf = (owner: object, key: string): unknown =>
  Object.hasOwn(owner, key) ? (owner as Record<string, unknown>)[key] : ABSENT

const SHOWN_CHARS = 500

const show = (value: unknown): string => {
  if (typeof value === 'symbol' || typeof value === 'function' || value instanceof RegExp) return String(value)
  return (JSON.stringify(value) ?? String(value)).slice(0, SHOWN_CHARS)
}
