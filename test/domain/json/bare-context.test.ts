import { createContext, runInContext } from 'node:vm'
import { buildSync } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeJsonEngine } from '../../../src/adapters/json-engine.js'
import type { JsonCodec, JsonEngine } from '../../../src/domain/json/codec.js'
import { codec } from './codecs.js'

/** The codec compiled into a realm that has the intrinsics of ECMAScript and nothing else. */
const compileBare = (): ((engine: JsonEngine) => JsonCodec) => {
  const options = { bundle: true, write: false, format: 'iife', globalName: 'json', target: 'node20' } as const
  const { outputFiles } = buildSync({ ...options, entryPoints: ['src/domain/json/codec.ts'], logLevel: 'silent' })
  return runInContext(`${outputFiles[0]!.text}; json.createJsonCodec`, createContext(Object.create(null)))
}

describe('the codec in a realm of its own', () => {
  let bare: JsonCodec
  beforeAll(() => {
    bare = compileBare()(nodeJsonEngine)
  })

  it.each<[string, unknown]>([
    ['a tree', { a: [1, 'x', { b: null }], c: { d: [[]] } }],
    ['a null-prototype object', Object.assign(Object.create(null), { a: 1 })],
    ['a large array', Array.from({ length: 10_000 }, (_, index) => ({ index }))],
    ['a wide object', Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, index]))],
    ['big integers', [2 ** 60, { a: 1e300 }]],
    ['a text', 'é😀\ud800'],
  ])('encodes %s of this realm', (_, value) => {
    expect({ ...bare.encode(value) }).toStrictEqual(codec.encode(value))
  })

  it.each<[string, unknown]>([
    ['a Date', [new Date(0)]],
    ['a Map', new Map()],
    ['a decorated array', Object.assign([1], { x: 1 })],
    ['an instance of a class', new (class Point {})()],
    ['an array of a class', class extends Array {}.from([1])],
    ['a hole', { a: new Array(2) }],
    ['a cycle', Object.assign([] as unknown[], [1]).map((_, __, array) => array.push(array) && array)],
  ])('refuses %s of this realm', (_, value) => {
    expect({ ...bare.encode(value) }).toStrictEqual(codec.encode(value))
    expect(bare.encode(value).ok).toBe(false)
  })

  it('is not reached by a toJSON on the prototypes of this realm', () => {
    Object.defineProperty(Object.prototype, 'toJSON', { configurable: true, value: () => 'replaced' })
    try {
      expect(bare.encode([{ a: 1 }])).toMatchObject({ text: '[{"a":1}]' })
    } finally {
      Reflect.deleteProperty(Object.prototype, 'toJSON')
    }
  })

  it('measures and parses', () => {
    expect(bare.measure({ a: [1, 'é'] }, 14)).toMatchObject({ kind: 'fits', bytes: 14 })
    expect(bare.parse('[9007199254740993]').ok).toBe(false)
    expect(bare.parse('[9007199254740992]').ok).toBe(true)
  })
})
