import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { codecs, encoded, textOf } from './codecs.js'

const shared = { a: 1 }

const ROWS: [string, unknown, string][] = [
  ['null', null, 'null'],
  ['true', true, 'true'],
  ['false', false, 'false'],
  ['zero', 0, '0'],
  ['a fraction', 1.5, '1.5'],
  ['an integral float', 1.0, '1'],
  ['a small number', 1e-7, '1e-7'],
  ['the smallest number', 5e-324, '5e-324'],
  ['the largest safe integer', 2 ** 53 - 1, '9007199254740991'],
  ['2**53', 2 ** 53, '9007199254740992'],
  ['-(2**53)', -(2 ** 53), '-9007199254740992'],
  ['2**53 + 2', 2 ** 53 + 2, '9007199254740994'],
  ['2**60, with exact digits', 2 ** 60, '1152921504606846976'],
  ['-(2**60), with exact digits', -(2 ** 60), '-1152921504606846976'],
  ['1e21, with exact digits', 1e21, '1000000000000000000000'],
  ['1e300, with exact digits', 1e300, BigInt(1e300).toString()],
  ['the empty string', '', '""'],
  ['a text', 'é😀"\\\n\u0000', '"é😀\\"\\\\\\n\\u0000"'],
  ['a lone surrogate', 'a\ud800b', '"a\\ud800b"'],
  ['a lone low surrogate', '\udc00', '"\\udc00"'],
  ['an empty array', [], '[]'],
  ['an empty object', {}, '{}'],
  ['nested containers', { a: [1, [], {}, [{ b: null }]], c: { d: [] } }, '{"a":[1,[],{},[{"b":null}]],"c":{"d":[]}}'],
  ['a null-prototype object', Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
  ['a shared subtree', [shared, shared, { s: shared }], '[{"a":1},{"a":1},{"s":{"a":1}}]'],
  ['integer-like keys', { b: 1, 2: 'x', 1: 'y' }, '{"1":"y","2":"x","b":1}'],
  ['an empty key', { '': 1 }, '{"":1}'],
  ['an own __proto__ key', JSON.parse('{"__proto__":{"a":[2]},"b":1}'), '{"__proto__":{"a":[2]},"b":1}'],
  [
    'names of built-ins as keys',
    { constructor: 1, toString: 'x', hasOwnProperty: null },
    '{"constructor":1,"toString":"x","hasOwnProperty":null}',
  ],
  ['a toJSON that is data', { toJSON: 5 }, '{"toJSON":5}'],
  ['a frozen tree', Object.freeze({ a: Object.freeze([1, 2]) }), '{"a":[1,2]}'],
  ['an array made with holes, then filled', new Array(3).fill(0), '[0,0,0]'],
  [
    'a getter',
    {
      get a() {
        return [1]
      },
    },
    '{"a":[1]}',
  ],
  [
    'big integers among small numbers',
    [1, 2 ** 60, 2, { a: 2 ** 60, b: 1 }, [2 ** 60]],
    '[1,1152921504606846976,2,{"a":1152921504606846976,"b":1},[1152921504606846976]]',
  ],
  [
    'an object of another realm',
    runInNewContext('({ a: [1, { b: "x" }], c: Object.create(null) })'),
    '{"a":[1,{"b":"x"}],"c":{}}',
  ],
  [
    'a large array of another realm',
    runInNewContext('Array.from({ length: 500 }, () => 7)'),
    `[${Array.from({ length: 500 }, () => 7)}]`,
  ],
]

describe.each(Object.entries(codecs))('the encoder, %s,', (_, codec) => {
  it.each(ROWS)('accepts %s', (_name, value, text) => {
    expect(codec.encode(value)).toStrictEqual({ ok: true, text, bytes: Buffer.byteLength(text) })
  })
})

describe('an encoding', () => {
  it('is detached from its source', () => {
    const source = { a: [1] }
    const { text } = encoded(source)
    source.a.push(2)
    expect(text).toBe('{"a":[1]}')
  })

  it('counts a lone surrogate as the six bytes of its escape and an emoji as four', () => {
    expect(encoded('\ud800').bytes).toBe(8)
    expect(encoded('😀').bytes).toBe(6)
    expect(encoded('\ud800a').bytes).toBe(9)
  })

  it('keeps a surrogate pair whole at the border of two batches', () => {
    const value = Array.from({ length: 10_000 }, () => '😀')
    expect(encoded(value)).toStrictEqual({
      ok: true,
      text: JSON.stringify(value),
      bytes: Buffer.byteLength(JSON.stringify(value)),
    })
  })

  it('takes more keys than are copied at once', () => {
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`key ${index}`, [index, { index }]]))
    expect(textOf(wide)).toBe(JSON.stringify(wide))
  })
})

describe('the bytes of a text', () => {
  it('are those of UTF-8', () => {
    expect(codecs.default.utf8Bytes('aé😀')).toBe(7)
  })
})
