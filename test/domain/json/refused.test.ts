import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { describeRefusal } from '../../../src/domain/json/refusal.js'
import { codecs, refused } from './codecs.js'

class Point {
  x = 1
}
class Stack extends Array<number> {}
class Broken extends TypeError {}

const hidden = (target: object, key: PropertyKey): object => Object.defineProperty(target, key, { value: 1 })
const instanceNamed = (name: PropertyDescriptor): object => {
  class Anonymous {}
  Object.defineProperty(Anonymous, 'name', name)
  return new Anonymous()
}
const argumentsOf = new Function('return arguments')
const circular = (): unknown => {
  const value: { a: unknown[] } = { a: [1] }
  value.a.push({ back: value })
  return value
}
const withHole = (): unknown[] => {
  const items: unknown[] = [1, 2, 3]
  delete items[1]
  return items
}

const EXTRA_KEYS = { reason: 'an array with extra keys', hint: 'use `[...items]`' }
const HOLE = { reason: 'a hole in a sparse array', hint: 'fill it with null' }
const ARRAY_CLASS = { reason: 'an array of a class', hint: 'use `Array.from(items)`' }
const UNDEFINED = { reason: 'undefined', hint: 'use null or leave it out' }
const HIDDEN = { reason: 'a property that is not enumerable' }
const NO_NAME = 'an object of a class'

const ROWS: [string, () => unknown, { path?: string; reason: string; hint?: string }][] = [
  ['NaN', () => Number.NaN, { reason: 'NaN', hint: 'use null' }],
  ['infinity', () => Infinity, { reason: 'Infinity', hint: 'use null' }],
  ['minus infinity', () => -Infinity, { reason: '-Infinity', hint: 'use null' }],
  ['negative zero', () => -0, { reason: 'negative zero', hint: 'add 0 to it' }],
  ['a bigint', () => 1n, { reason: 'a bigint', hint: 'use `Number(value)` or `String(value)`' }],
  ['undefined', () => undefined, { ...UNDEFINED }],
  ['an undefined member', () => ({ a: undefined }), { path: '$.a', ...UNDEFINED }],
  ['an undefined item', () => [undefined], { path: '$[0]', ...UNDEFINED }],
  ['a function', () => ({ f: () => 1 }), { path: '$.f', reason: 'a function' }],
  ['an own toJSON', () => ({ toJSON: () => 1 }), { path: '$.toJSON', reason: 'a function' }],
  ['a class', () => Point, { reason: 'a function' }],
  ['a symbol', () => [Symbol('x')], { path: '$[0]', reason: 'a symbol' }],
  [
    'a Date',
    () => ({ rows: [0, 1, 2, { when: new Date(0) }] }),
    { path: '$.rows[3].when', reason: 'a Date', hint: 'use `.toISOString()`' },
  ],
  ['a Map', () => new Map(), { reason: 'a Map', hint: 'use `Object.fromEntries(map)`' }],
  ['a Set', () => new Set(), { reason: 'a Set', hint: 'use `[...set]`' }],
  [
    'a typed array',
    () => new Uint8Array(2),
    { reason: 'a typed array', hint: 'use `Array.from(bytes)` or base64 text' },
  ],
  [
    'a Buffer',
    () => Buffer.from('a'),
    { reason: 'a Buffer', hint: "use `Array.from(bytes)` or `.toString('base64')`" },
  ],
  [
    'an ArrayBuffer',
    () => new ArrayBuffer(2),
    { reason: 'an ArrayBuffer', hint: 'use `Array.from(new Uint8Array(buffer))` or base64 text' },
  ],
  ['a RegExp', () => /x/, { reason: 'a RegExp', hint: 'use `.source`' }],
  ['an Error', () => new Broken('no'), { reason: 'an Error', hint: 'use its `.message`' }],
  ['a URL', () => new URL('http://a'), { reason: 'a URL', hint: 'use `.href`' }],
  [
    'a Promise',
    () => ({ a: Promise.resolve() }),
    { path: '$.a', reason: 'a Promise', hint: 'did you forget `await`?' },
  ],
  ['a boxed number', () => Object(1), { reason: 'a boxed number', hint: 'use `.valueOf()`' }],
  ['a boxed string', () => Object('a'), { reason: 'a boxed string', hint: 'use `.valueOf()`' }],
  ['a boxed boolean', () => Object(true), { reason: 'a boxed boolean', hint: 'use `.valueOf()`' }],
  ['an instance of a class', () => new Point(), { reason: 'an instance of Point' }],
  ['an object with a prototype of its own', () => Object.create({ a: 1 }), { reason: NO_NAME }],
  ['an array of a class', () => Stack.from([1]), ARRAY_CLASS],
  ['an array without a prototype', () => Object.setPrototypeOf([], null), { reason: NO_NAME }],
  ['an array below another array', () => Object.setPrototypeOf([], []), ARRAY_CLASS],
  ['a hole', () => ({ a: withHole() }), { path: '$.a[1]', ...HOLE }],
  ['a hole at the end', () => new Array(1), { path: '$[0]', ...HOLE }],
  ['a hole in a large array', () => new Array(1000).fill(0, 0, 500), { path: '$[500]', ...HOLE }],
  ['a large array that is all holes', () => new Array(2 ** 32 - 1), { path: '$[0]', ...HOLE }],
  ['a decorated array', () => Object.assign([1], { x: 1 }), EXTRA_KEYS],
  ['a decorated empty array', () => Object.assign([], { x: 1 }), EXTRA_KEYS],
  ['a match', () => /x/.exec('x'), EXTRA_KEYS],
  ['an array with a hidden key', () => hidden([1], 'x'), EXTRA_KEYS],
  ['an array with a symbol key', () => hidden([1], Symbol('x')), EXTRA_KEYS],
  ['a large decorated array', () => Object.assign(new Array(1000).fill(0), { x: 1 }), EXTRA_KEYS],
  ['a large array with a hidden symbol key', () => hidden(new Array(1000).fill(0), Symbol('x')), EXTRA_KEYS],
  [
    'a sparse array with as many extra keys as holes',
    () => Object.assign(withHole(), { x: 1 }),
    { path: '$[1]', ...HOLE },
  ],
  ['a symbol key', () => ({ a: { [Symbol('x')]: 1 } }), { path: '$.a', reason: 'an object with a symbol as key' }],
  ['a hidden symbol key', () => hidden({ a: 1 }, Symbol('x')), { reason: 'an object with a symbol as key' }],
  ['a hidden key', () => ({ a: hidden({ b: 1 }, 'c') }), { path: '$.a.c', ...HIDDEN }],
  ['a hidden key with an inherited name', () => hidden({}, 'toString'), { path: '$.toString', ...HIDDEN }],
  [
    'a hidden getter, unread',
    () => Object.defineProperty({}, 'a', { get: () => expect.fail('read') }),
    { path: '$.a', ...HIDDEN },
  ],
  ['arguments', () => argumentsOf(1), { reason: 'an object with a symbol as key' }],
  ['Math', () => Math, { reason: 'an object with a symbol as key' }],
  ['a cycle', circular, { path: '$.a[1].back', reason: 'a circular reference' }],
  ['a generator', () => (function* () {})(), { reason: NO_NAME }],
  ['a Date of another realm', () => runInNewContext('new Date(0)'), { reason: 'a Date', hint: 'use `.toISOString()`' }],
  [
    'an Error of another realm',
    () => runInNewContext('new RangeError("x")'),
    { reason: 'an Error', hint: 'use its `.message`' },
  ],
  ['an array class of another realm', () => runInNewContext('class A extends Array {}; A.from([1])'), ARRAY_CLASS],
  ['a decorated array of another realm', () => runInNewContext('/x/.exec("x")'), EXTRA_KEYS],
]

describe.each(Object.entries(codecs))('the encoder, %s,', (_, codec) => {
  it.each(ROWS)('refuses %s', (_name, make, expected) => {
    expect(codec.encode(make())).toEqual({ ok: false, kind: 'lossy', path: '$', ...expected })
  })
})

describe('a refused class', () => {
  it('is named by the data property only', () => {
    expect(refused(instanceNamed({ get: () => expect.fail('read') })).reason).toBe(NO_NAME)
  })

  it('is named by an identifier of at most 64 characters', () => {
    expect(refused(instanceNamed({ value: 'a'.repeat(64) })).reason).toBe(`an instance of ${'a'.repeat(64)}`)
    expect(refused(instanceNamed({ value: 'a'.repeat(65) })).reason).toBe(NO_NAME)
    expect(refused(instanceNamed({ value: 'a b' })).reason).toBe(NO_NAME)
    expect(refused(instanceNamed({ value: 5 })).reason).toBe(NO_NAME)
  })

  it('is looked up in a bounded part of a prototype chain', () => {
    let value: object = new Date(0)
    for (let depth = 0; depth < 100; depth++) value = Object.create(value)
    expect(refused(value).reason).toBe(NO_NAME)
  })
})

describe('a path', () => {
  it('brackets keys that are no identifiers', () => {
    expect(refused({ 'a b': { "it's": { $_1: NaN } } }).path).toBe('$["a b"]["it\'s"].$_1')
    expect(refused({ '1a': NaN }).path).toBe('$["1a"]')
  })

  it('cuts a long key', () => {
    expect(refused({ ['k'.repeat(80)]: NaN }).path).toBe(`$.${'k'.repeat(80)}`)
    expect(refused({ ['k'.repeat(81)]: NaN }).path).toBe(`$["${'k'.repeat(80)}…"]`)
  })

  it('leaves out the middle when it is very long', () => {
    const at = (depth: number): string => {
      let value: unknown = NaN
      for (let level = depth; level > 0; level--) value = { [`k${level}`]: value }
      return refused(value).path
    }
    expect(at(40)).toBe(`$${Array.from({ length: 40 }, (_, index) => `.k${index + 1}`).join('')}`)
    expect(at(41)).toMatch(/^\$\.k1\.k2.*\.k20…\.k22.*\.k41$/)
    expect(at(50_000).length).toBeLessThan(300)
  })

  it('names the place after batches were written', () => {
    const rows: unknown[] = Array.from({ length: 100_000 }, (_, id) => ({ id, tags: ['a'] }))
    rows.push({ tags: ['a', NaN] })
    expect(refused({ rows }).path).toBe('$.rows[100000].tags[1]')
  })
})

describe('a refusal in words', () => {
  it('has the path, the reason and the hint', () => {
    expect(describeRefusal(refused({ rows: [{ when: new Date(0) }] }))).toBe(
      '$.rows[0].when: a Date is not lossless JSON (use `.toISOString()`)',
    )
  })

  it('has no brackets without a hint', () => {
    expect(describeRefusal(refused(Symbol('x')))).toBe('$: a symbol is not lossless JSON')
  })

  it('says when a text is over the limit', () => {
    expect(describeRefusal({ ok: false, kind: 'over-budget' })).toBe(
      'a text over the size limit cannot be lossless JSON',
    )
  })
})
