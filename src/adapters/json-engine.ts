import { inspect } from 'node:util'
import type { JsonEngine } from '../domain/json/engine.js'

/** Up to here it is faster to list the keys of an array than to have it rendered. */
const SMALL_LENGTH = 32

const { ownKeys } = Reflect
const { byteLength } = Buffer

// Renders the keys of an array that are no indices, and none of its items, however many they are.
const KEYS_ONLY = {
  maxArrayLength: 0,
  customInspect: false,
  showHidden: true,
  depth: 0,
  breakLength: Infinity,
} as const

// To V8 a dictionary, so that it can have any length without memory for items.
const bare: unknown[] = []
bare.length = 2 ** 32 - 1

const renderBare = (length: number): string => {
  bare.length = length
  return inspect(bare, KEYS_ONLY)
}

const SAMPLE_LENGTH = 12_345
const AROUND_LENGTH = renderBare(SAMPLE_LENGTH).split(String(SAMPLE_LENGTH))

const hasOnlyIndices = (array: readonly unknown[]): boolean => {
  const { length } = array
  return length > SMALL_LENGTH ? looksBare(array, length) : ownsOnlyIndices(array, length)
}

// Among the own keys the indices come first, then `length`.
const ownsOnlyIndices = (array: readonly unknown[], length: number): boolean => {
  const keys = ownKeys(array)
  return keys.length === length + 1 && keys[length] === 'length'
}

// The second rendering counts after somebody changed the prototype of all arrays.
const looksBare = (array: readonly unknown[], length: number): boolean => {
  const rendered = inspect(array, KEYS_ONLY)
  return rendered === AROUND_LENGTH.join(String(length)) || rendered === renderBare(length)
}

/** What Node gives to the codec beyond the intrinsics of ECMAScript. */
export const nodeJsonEngine: JsonEngine = {
  utf8Bytes: (text) => byteLength(text),
  hasOnlyIndices,
}
