import { describe, expect, it } from 'vitest'
import { codecs, refused, textOf } from './codecs.js'

/** A proxy that notes which slots are read. */
const watched = <T extends object>(target: T): { value: T; reads: PropertyKey[] } => {
  const reads: PropertyKey[] = []
  const get = (source: T, key: PropertyKey): unknown => {
    if (key !== 'length') reads.push(key)
    return Reflect.get(source, key)
  }
  return { value: new Proxy(target, { get }), reads }
}

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `k${index}`)
const record = (count: number, value: (index: number) => unknown = (index) => index): Record<string, unknown> =>
  Object.fromEntries(names(count).map((name, index) => [name, value(index)]))
const objectOf = (keys: readonly string[], get: (key: string) => unknown): object => {
  const object = {}
  for (const key of keys)
    Object.defineProperty(object, key, { enumerable: true, configurable: true, get: () => get(key) })
  return object
}
const thrown = (): never => {
  throw new Error('not to be seen')
}

const TRAPS = [
  'get',
  'getOwnPropertyDescriptor',
  'getPrototypeOf',
  'has',
  'ownKeys',
  'isExtensible',
  'set',
  'defineProperty',
] as const

describe.each(Object.entries(codecs))('the encoder, %s,', (_, codec) => {
  it.each([3, 128, 129, 5000])('reads each of %i getters once', (count) => {
    const reads: string[] = []
    const value = objectOf(names(count), (key) => [reads.push(key)])
    expect(codec.encode(value)).toMatchObject({ text: JSON.stringify(record(count, (index) => [index + 1])) })
    expect(reads).toStrictEqual(names(count))
  })

  it('takes the first reading of a getter that changes its mind', () => {
    const readings = [1, NaN, () => 1]
    expect(
      codec.encode({
        get a() {
          return readings.shift()
        },
      }),
    ).toMatchObject({ text: '{"a":1}' })
    expect(readings).toHaveLength(2)
  })

  it.each([1, 32, 33, 128, 129, 9000])('reads each of %i slots of a proxied array once', (count) => {
    const { value, reads } = watched(names(count))
    expect(codec.encode(value)).toMatchObject({ ok: true, text: JSON.stringify(names(count)) })
    expect(reads).toStrictEqual(Array.from({ length: count }, (_item, index) => String(index)))
  })

  it.each([1, 32, 33, 128, 129, 9000])('reads each of %i slots of a proxied object once', (count) => {
    const { value, reads } = watched(record(count))
    expect(codec.encode(value)).toMatchObject({ ok: true, text: JSON.stringify(record(count)) })
    expect(reads).toStrictEqual(names(count))
  })

  it('reads each slot once around numbers with exact digits and deep nesting', () => {
    const inner = watched({ a: 2 ** 60, b: { c: [[[[2 ** 60, 1]]]] }, d: 1 })
    const outer = watched([1, inner.value, 2 ** 60, [inner.value]])
    expect(codec.encode(outer.value)).toMatchObject({ ok: true })
    expect(outer.reads).toStrictEqual(['0', '1', '2', '3'])
    expect(inner.reads).toStrictEqual(['a', 'b', 'd', 'a', 'b', 'd'])
  })

  it('refuses a getter that throws, at its path', () => {
    const value = {
      rows: [
        1,
        {
          ok: 1,
          get bad() {
            return thrown()
          },
        },
      ],
    }
    expect(codec.encode(value)).toStrictEqual({
      ok: false,
      kind: 'lossy',
      path: '$.rows[1].bad',
      reason: 'a property that throws',
    })
  })

  it('refuses an item that throws, at its path', () => {
    const items = [1, 2, 3]
    Object.defineProperty(items, 1, { get: thrown, enumerable: true })
    expect(codec.encode({ items })).toStrictEqual({
      ok: false,
      kind: 'lossy',
      path: '$.items[1]',
      reason: 'a property that throws',
    })
  })

  it('can encode the next value after one that threw', () => {
    const value = {
      get a() {
        return thrown()
      },
    }
    expect(codec.encode([value])).toMatchObject({ ok: false })
    expect(codec.encode([{ a: 1 }])).toMatchObject({ ok: true })
  })

  it('refuses an array that a getter shortens while it is read', () => {
    const items: unknown[] = [0, 1, 2, 3]
    Object.defineProperty(items, 0, { enumerable: true, configurable: true, get: () => (items.length = 2) })
    expect(codec.encode(items)).toStrictEqual({
      ok: false,
      kind: 'lossy',
      path: '$[2]',
      reason: 'a hole in a sparse array',
      hint: 'fill it with null',
    })
  })

  it('refuses a large array that a getter shortens while it is read', () => {
    const items: unknown[] = Array.from({ length: 9000 }, () => 0)
    Object.defineProperty(items, 8000, { enumerable: true, configurable: true, get: () => (items.length = 8500) })
    expect(codec.encode([items])).toMatchObject({ path: '$[0][8500]', reason: 'a hole in a sparse array' })
  })

  it('leaves out what a getter appends to the array that is being read', () => {
    const items: unknown[] = [0, 1]
    Object.defineProperty(items, 0, { enumerable: true, get: () => items.push('late') })
    expect(codec.encode(items)).toMatchObject({ ok: true, text: '[3,1]' })
  })

  it.each([3, 500])('refuses an object of %i keys that a getter shrinks while it is read', (count) => {
    const value = record(count)
    Object.defineProperty(value, 'k0', { enumerable: true, get: () => Number(delete value['k2']) })
    expect(codec.encode(value)).toMatchObject({ ok: false, kind: 'lossy' })
  })

  it.each(TRAPS)('never throws what the trap %s throws', (trap) => {
    for (const target of [{ a: 1, b: 2 }, [1, 2], Array.from({ length: 1000 }, () => 1), record(100)]) {
      const value = new Proxy(target, { [trap]: thrown })
      expect([true, false]).toContain(codec.encode({ inner: [value] }).ok)
    }
  })

  it('refuses a revoked proxy', () => {
    for (const target of [{}, []]) {
      const { proxy, revoke } = Proxy.revocable(target, {})
      revoke()
      expect(codec.encode([proxy])).toStrictEqual({
        ok: false,
        kind: 'lossy',
        path: '$[0]',
        reason: 'a property that throws',
      })
    }
  })

  it.each([-1, 1.5, NaN, 'x', 2 ** 40, undefined, { valueOf: () => 1 }])(
    'refuses a proxied array whose length is said to be %s',
    (length) => {
      const value = new Proxy([1], { get: (target, key) => (key === 'length' ? length : Reflect.get(target, key)) })
      expect(codec.encode(value)).toMatchObject({ ok: false, kind: 'lossy' })
    },
  )

  it('refuses a proxy whose prototype chain has no end', () => {
    const endless: object = new Proxy({}, { getPrototypeOf: () => endless })
    expect(codec.encode(endless)).toMatchObject({ ok: false, kind: 'lossy' })
  })

  it('ends at the budget where a proxy makes new containers for ever', () => {
    const endless = (): object =>
      new Proxy([0], { get: (target, key) => (key === '0' ? endless() : Reflect.get(target, key)) })
    expect(codec.encode(endless(), 10_000)).toStrictEqual({ ok: false, kind: 'over-budget' })
  })

  it('runs no code of a symbol, a tag or a custom inspection', () => {
    const value: object = Object.assign(
      Array.from({ length: 1000 }, () => 0),
      {
        [Symbol.for('nodejs.util.inspect.custom')]: () => expect.fail('inspected'),
        [Symbol.toPrimitive]: () => expect.fail('converted'),
      },
    )
    Object.defineProperty(value, Symbol.toStringTag, { get: thrown })
    expect(codec.encode(value)).toMatchObject({ ok: false, kind: 'lossy' })
  })
})

describe('an object that loses a key while it is copied', () => {
  it('is refused at the key', () => {
    const value = {
      get a() {
        return Number(Reflect.deleteProperty(value, 'b'))
      },
      b: 1,
    }
    expect(refused([value])).toMatchObject({ path: '$[0].b', reason: 'something that changes while it is read' })
  })

  it('is refused also when it has the key again', () => {
    const value: Record<string, unknown> = {}
    const lose = { enumerable: true, configurable: true, get: () => Number(delete value['b']) }
    const regain = { enumerable: true, get: () => Object.assign(value, { b: 1 })['b'] }
    Object.defineProperties(value, { a: lose, b: { ...lose }, c: regain })
    expect(refused([value])).toMatchObject({ path: '$[0]', reason: 'something that changes while it is read' })
  })
})

describe('a throw while a small object is copied', () => {
  it('is placed at the object when several getters could have thrown', () => {
    const value = {
      a: {
        get b() {
          return 1
        },
        get c() {
          return thrown()
        },
      },
    }
    expect(refused(value)).toStrictEqual({ ok: false, kind: 'lossy', path: '$.a', reason: 'a property that throws' })
  })
})

describe('constructors that are accessors', () => {
  it('are not run', () => {
    const value = Object.create(Object.defineProperty({}, 'constructor', { get: () => expect.fail('read') }))
    expect(refused(value).reason).toBe('an object of a class')
  })
})

describe('an own species', () => {
  it('is not consulted', () => {
    const items = Array.from({ length: 1000 }, () => 0)
    const value = new Proxy(items, {
      get: (target, key) => (key === 'constructor' ? expect.fail('read') : Reflect.get(target, key)),
    })
    expect(textOf(value)).toBe(JSON.stringify(items))
  })
})
