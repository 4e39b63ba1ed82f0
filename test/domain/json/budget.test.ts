import { describe, expect, it } from 'vitest'
import { nodeJsonEngine } from '../../../src/adapters/json-engine.js'
import { createJsonCodec } from '../../../src/domain/json/codec.js'
import { codecs } from './codecs.js'

const OVER = { ok: false, kind: 'over-budget' }
const VALUES = [
  0,
  -1,
  1.5,
  2 ** 60,
  true,
  false,
  null,
  '',
  'a',
  'é',
  '😀',
  '\ud800',
  '\u0000',
  '"',
  [],
  {},
  [0],
  [0, 0],
  [[]],
  [[[]], {}],
  { '': 0 },
  { a: 0, b: [] },
  { a: { b: { c: 'x' } } },
  [2 ** 60, 2 ** 60],
  { big: 2 ** 60, n: 1 },
  [{ a: 1 }, { a: 2 }],
  Array.from({ length: 3000 }, (_, index) => index),
  Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, index])),
  Array.from({ length: 300 }, () => ({ a: ['x'], b: { c: 1 } })),
  'é'.repeat(20_000),
  ['é'.repeat(20_000), 1],
]

describe.each(Object.entries(codecs))('the encoder, %s,', (_, codec) => {
  it('fits a value into exactly its bytes, and not into one less', () => {
    for (const value of VALUES) {
      const whole = codec.encode(value)
      const bytes = whole.ok ? whole.bytes : NaN
      expect(codec.encode(value, bytes)).toStrictEqual(whole)
      expect(codec.encode(value, bytes - 1)).toStrictEqual(OVER)
      expect(codec.encode(value, 0)).toStrictEqual(OVER)
    }
  })

  it('refuses an array over the budget before it reads an item', () => {
    const items = Array.from({ length: 1000 }, () => 0)
    Object.defineProperty(items, 0, { get: () => expect.fail('read') })
    expect(codec.encode(items, 2000)).toStrictEqual(OVER)
    expect(codec.encode([items], 2001)).toStrictEqual(OVER)
  })

  it('refuses an object over the budget before it reads a member', () => {
    const object = Object.fromEntries(Array.from({ length: 1000 }, (_item, index) => [index, 0]))
    Object.defineProperty(object, 0, { get: () => expect.fail('read') })
    expect(codec.encode(object, 5000)).toStrictEqual(OVER)
    expect(codec.encode({ object }, 5001)).toStrictEqual(OVER)
  })

  it('refuses ten million holes at once', () => {
    expect(codec.encode(new Array(10_000_000), 1024)).toStrictEqual(OVER)
  })
})

describe('a value both lossy and over the budget', () => {
  it('reports what it meets first of a lossy and an oversized part', () => {
    const codec = codecs.default
    expect(codec.encode([NaN, 'x'.repeat(100)], 50)).toMatchObject({ kind: 'lossy' })
    expect(codec.encode(['x'.repeat(100_000), NaN], 50)).toStrictEqual(OVER)
  })
})

describe('a text that no string can hold', () => {
  it('is over any budget', () => {
    const codec = codecs.default
    const text = '\u0000'.repeat(2 ** 20)
    const value = Array.from({ length: 100 }, () => text)
    expect(codec.encode(value)).toStrictEqual(OVER)
  })
})

describe('an engine that fails', () => {
  it('is no refusal of the value', () => {
    const utf8Bytes = (): number => {
      throw new TypeError('broken')
    }
    const broken = createJsonCodec({ ...nodeJsonEngine, utf8Bytes })
    expect(() => broken.encode(1)).toThrow('broken')
  })
})
