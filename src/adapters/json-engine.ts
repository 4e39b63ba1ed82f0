import { inspect } from 'node:util'
import type { JsonEngine } from '../domain/json/engine.js'

const SMALL_LENGTH = 150

const { ownKeys } = Reflect
const { byteLength } = Buffer

// Renders the keys of an array and none of its items, whatever its length.
const KEYS_ONLY = {
  maxArrayLength: 0,
  customInspect: false,
  showHidden: true,
  depth: 0,
  breakLength: Infinity,
} as const

// A dictionary to V8, so that its length can be set without memory for the items.
const bare: unknown[] = []
bare.length = 2 ** 32 - 1

const hasOnlyIndices = (array: readonly unknown[]): boolean => {
  const { length } = array
  return length > SMALL_LENGTH ? looksBare(array, length) : ownsOnlyIndices(array, length)
}

// Indices come first among the own keys, `length` is the first of the others.
const ownsOnlyIndices = (array: readonly unknown[], length: number): boolean => {
  const keys = ownKeys(array)
  return keys.length === length + 1 && keys[length] === 'length'
}

const looksBare = (array: readonly unknown[], length: number): boolean => {
  bare.length = length
  return inspect(array, KEYS_ONLY) === inspect(bare, KEYS_ONLY)
}

/** What Node gives to the codec beyond the intrinsics of ECMAScript. */
export const nodeJsonEngine: JsonEngine = {
  utf8Bytes: (text) => byteLength(text),
  hasOnlyIndices,
}
