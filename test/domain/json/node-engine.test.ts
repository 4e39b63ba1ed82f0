import { inspect } from 'node:util'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { nodeJsonEngine } from '../../../src/adapters/json-engine.js'

const { utf8Bytes, hasOnlyIndices } = nodeJsonEngine

const zeros = (length: number): unknown[] => Array.from({ length }, () => 0)
const with_ = (length: number, key: PropertyKey, descriptor: PropertyDescriptor): unknown[] =>
  Object.defineProperty(zeros(length), key, descriptor)

const LENGTHS = [0, 1, 31, 32, 33, 5000]

describe('the bytes of a text', () => {
  it.each([
    ['', 0],
    ['a', 1],
    ['é', 2],
    ['漢', 3],
    ['😀', 4],
  ] as const)('are those of UTF-8: %j has %i', (text, bytes) => {
    expect(utf8Bytes(text)).toBe(bytes)
  })
})

describe.each(LENGTHS)('an array of %i items', (length) => {
  it('has only indices when it is plain, frozen, proxied or of another realm', () => {
    expect(hasOnlyIndices(zeros(length))).toBe(true)
    expect(hasOnlyIndices(Object.freeze(zeros(length)))).toBe(true)
    expect(hasOnlyIndices(new Proxy(zeros(length), {}))).toBe(true)
    expect(hasOnlyIndices(runInNewContext(`Array.from({ length: ${length} }, () => 0)`))).toBe(true)
  })

  it.each<[string, PropertyKey]>([
    ['a name', 'x'],
    ['the empty name', ''],
    ['a number that is no index', '-1'],
    ['a symbol', Symbol('x')],
    ['its own constructor', 'constructor'],
    ['a custom inspection', inspect.custom],
    ['a tag', Symbol.toStringTag],
  ])('has more when it owns %s, enumerable or not, value or accessor', (_, key) => {
    expect(hasOnlyIndices(with_(length, key, { value: undefined }))).toBe(false)
    expect(hasOnlyIndices(with_(length, key, { value: 'x'.repeat(10), enumerable: true }))).toBe(false)
    expect(hasOnlyIndices(with_(length, key, { get: () => 'x', enumerable: true }))).toBe(false)
  })
})

describe('items that are accessors', () => {
  it.each([3, 1000])('are not read, among %i', (length) => {
    expect(hasOnlyIndices(with_(length, 1, { get: () => expect.fail('read'), enumerable: true }))).toBe(true)
  })
})

describe('a small array with holes', () => {
  it('does not have its indices', () => {
    expect(hasOnlyIndices(new Array(3))).toBe(false)
  })
})

describe('a large array', () => {
  it('is still recognised when the prototype of arrays is changed', () => {
    const tag = Symbol.toStringTag
    Object.defineProperty(Array.prototype, tag, { value: 'Changed', configurable: true })
    try {
      expect(hasOnlyIndices(zeros(1000))).toBe(true)
      expect(hasOnlyIndices(Object.assign(zeros(1000), { x: 1 }))).toBe(false)
    } finally {
      Reflect.deleteProperty(Array.prototype, tag)
    }
  })
})
