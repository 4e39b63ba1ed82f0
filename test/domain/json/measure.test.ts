import { describe, expect, it } from 'vitest'
import { codec } from './codecs.js'

const OVER = { kind: 'over-budget' }
const fits = (bytes: number) => ({ kind: 'fits', bytes })

const ROWS: [string, number][] = [
  ['null', 4],
  ['true', 4],
  ['false', 5],
  ['0', 1],
  ['9', 1],
  ['10', 2],
  ['99', 2],
  ['-1', 2],
  ['-10', 3],
  ['1.5', 3],
  ['1e-7', 4],
  ['999999', 6],
  ['1000000', 7],
  ['9007199254740991', 16],
  ['9007199254740992', 16],
  ['-9007199254740992', 17],
  ['1152921504606846976', 19],
  ['-1152921504606846976', 20],
  ['1e21', 22],
  ['1e300', 301],
  ['""', 2],
  ['"abc"', 5],
  ['"é"', 4],
  ['"😀"', 6],
  ['"\\ud800"', 8],
  ['"\\ud800a"', 9],
  ['"漢"', 5],
  ['"\\u0000"', 8],
  ['"\\n"', 4],
  ['"\\\\"', 4],
  ['[]', 2],
  ['{}', 2],
  ['[1,2]', 5],
  ['[[],{}]', 7],
  ['{"a":1}', 7],
  ['{"a":1,"b":[2]}', 15],
  ['{"é":1}', 8],
  ['{"😀":1}', 10],
  ['{"\\ud800":1}', 12],
  ['{"\\u0000":1}', 12],
  ['{"__proto__":1}', 15],
]

describe('the meter', () => {
  it.each(ROWS)('measures %s as %i bytes, and one less as over budget', (text, bytes) => {
    const value: unknown = JSON.parse(text)
    expect(codec.measure(value, bytes)).toStrictEqual(fits(bytes))
    expect(codec.measure(value, bytes - 1)).toStrictEqual(OVER)
    expect(codec.measure([value, { k: value }], 2 * bytes + 9)).toStrictEqual(fits(2 * bytes + 9))
    expect(codec.measure([value, { k: value }], 2 * bytes + 8)).toStrictEqual(OVER)
  })

  it('refuses any string below two bytes', () => {
    expect(codec.measure('', 1)).toStrictEqual(OVER)
    expect(codec.measure('', 2)).toStrictEqual(fits(2))
  })

  it('counts 200 NULs as 1202 bytes', () => {
    expect(codec.measure('\u0000'.repeat(200), 1024)).toStrictEqual(OVER)
    expect(codec.measure('\u0000'.repeat(200), 1202)).toStrictEqual(fits(1202))
  })

  it('refuses a container over the budget before it walks it', () => {
    const items: unknown[] = new Array(10_000_000)
    Object.defineProperty(items, 0, { get: () => expect.fail('read') })
    expect(codec.measure(items, 1024)).toStrictEqual(OVER)
    const object = Object.defineProperty(
      Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [index, 0])),
      '0',
      {
        get: () => expect.fail('read'),
      },
    )
    expect(codec.measure(object, 5000)).toStrictEqual(OVER)
    expect(codec.measure([[], [object]], 5000)).toStrictEqual(OVER)
  })

  it('finds lossy numbers, with their path', () => {
    expect(codec.measure(JSON.parse('[1,{"a":[1e400]}]'), 100)).toStrictEqual({
      kind: 'lossy',
      path: '$[1].a[0]',
      reason: 'Infinity',
    })
    expect(codec.measure(JSON.parse('{"a b":-1e400}'), 100)).toStrictEqual({
      kind: 'lossy',
      path: '$["a b"]',
      reason: '-Infinity',
    })
    expect(codec.measure(JSON.parse('-0'), 100)).toStrictEqual({ kind: 'lossy', path: '$', reason: '-0' })
    expect(codec.measure([1, NaN, Infinity], 100)).toStrictEqual({ kind: 'lossy', path: '$[1]', reason: 'NaN' })
  })

  it('lets over budget beat lossy, whatever the order', () => {
    expect(codec.measure([Infinity, 'x'.repeat(50)], 40)).toStrictEqual(OVER)
    expect(codec.measure(['x'.repeat(50), Infinity], 40)).toStrictEqual(OVER)
    expect(codec.measure({ a: -0, b: ['x'.repeat(50)] }, 40)).toStrictEqual(OVER)
    expect(codec.measure({ a: -0, b: ['x'.repeat(50)] }, 80)).toMatchObject({ kind: 'lossy', path: '$.a' })
  })

  it('counts the bytes of the lossy number itself', () => {
    expect(codec.measure([Infinity], 10)).toMatchObject({ kind: 'lossy' })
    expect(codec.measure([Infinity], 9)).toStrictEqual(OVER)
    expect(codec.measure([-0], 4)).toMatchObject({ kind: 'lossy' })
    expect(codec.measure([-0], 3)).toStrictEqual(OVER)
  })

  it('measures 100,000 levels', () => {
    const value: unknown = JSON.parse(`${'['.repeat(100_000)}0${']'.repeat(100_000)}`)
    expect(codec.measure(value, 200_001)).toStrictEqual(fits(200_001))
    expect(codec.measure(value, 200_000)).toStrictEqual(OVER)
  })

  it('measures two million items, the last one included', () => {
    const value: unknown[] = new Array(2_000_000).fill(0)
    expect(codec.measure(value, 4_000_001)).toStrictEqual(fits(4_000_001))
    value[1_999_999] = -0
    expect(codec.measure(value, 4_000_002)).toMatchObject({ kind: 'lossy', path: '$[1999999]' })
  })

  it('measures 100,000 members, the last one included', () => {
    const value: Record<string, unknown> = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index]),
    )
    const bytes = Buffer.byteLength(JSON.stringify(value))
    expect(codec.measure(value, bytes)).toStrictEqual(fits(bytes))
    value['last'] = Infinity
    expect(codec.measure(value, 2 * bytes)).toMatchObject({ kind: 'lossy', path: '$.last' })
  })
})
