import { describe, expect, it } from 'vitest'
import { codec, codecs, encoded, nest, refused } from './codecs.js'

const DEPTH = 100_000
const WIDTH = 2_000_000

const chain = (depth: number, end: unknown): unknown => {
  let value = end
  for (let level = 0; level < depth; level++) value = [value]
  return value
}

describe.each([
  ['default', codecs.default],
  ['text only', codecs['text only']],
] as const)('the encoder, %s,', (_, codec) => {
  it('takes 100,000 levels', () => {
    expect(codec.encode(chain(DEPTH, 0))).toStrictEqual({
      ok: true,
      text: `${'['.repeat(DEPTH)}0${']'.repeat(DEPTH)}`,
      bytes: 2 * DEPTH + 1,
    })
  })

  it('takes 100,000 levels of both kinds with members around them', () => {
    let value: unknown = 'end'
    let text = '"end"'
    const closings: string[] = []
    for (let level = 0; level < DEPTH; level++) value = level % 2 === 0 ? ['x', value, 1] : { a: 1, b: value, c: null }
    const result = codec.encode(value)
    text = ''
    for (let level = DEPTH - 1; level >= 0; level--) {
      text += level % 2 === 0 ? '["x",' : '{"a":1,"b":'
      closings.push(level % 2 === 0 ? ',1]' : ',"c":null}')
    }
    expect(result).toMatchObject({ ok: true, text: `${text}"end"${closings.reverse().join('')}` })
  })
})

describe('nesting', () => {
  it('has the same text on both sides of what native JSON is given', () => {
    for (const depth of [98, 99, 100, 101, 102, 199, 200, 201, 202, 4500]) {
      expect(codec.encode(nest(depth))).toStrictEqual(codecs['text only'].encode(nest(depth)))
    }
  })

  it('finds a cycle at any depth', () => {
    for (const depth of [0, 1, 15, 16, 17, 99, 100, 101, 5000]) {
      const bottom: unknown[] = []
      const top = chain(depth, bottom)
      bottom.push(1, top)
      expect(refused(top).reason).toBe('a circular reference')
      bottom[1] = bottom
      expect(refused(top).reason).toBe('a circular reference')
    }
  })

  it('takes a subtree again that it took before, deep or written already', () => {
    const shared = { a: [1] }
    const value = [shared, chain(150, shared), Array.from({ length: 5000 }, () => shared), shared]
    expect(encoded(value).bytes).toBe(JSON.stringify(value).length)
  })

  it('does not take siblings of one parent for a cycle', () => {
    const empty: unknown[] = []
    expect(encoded([[empty, empty], { a: empty, b: empty }]).text).toBe('[[[],[]],{"a":[],"b":[]}]')
  })
})

describe('width', () => {
  it('takes two million items', () => {
    const value = Array.from({ length: WIDTH }, (_, index) => index)
    expect(encoded(value).text === JSON.stringify(value)).toBe(true)
  })

  it('takes two million items that change their kind on the way', () => {
    const kinds = [1, 0.5, 'x', null, true, 2 ** 31]
    const value = Array.from({ length: WIDTH }, (_, index) => kinds[Math.floor(index / 50_001) % kinds.length])
    expect(encoded(value).text === JSON.stringify(value)).toBe(true)
  })

  it('finds what is wrong with the last of two million items', () => {
    const value: unknown[] = new Array(WIDTH).fill(0)
    value[WIDTH - 1] = -0
    expect(refused(value).path).toBe(`$[${WIDTH - 1}]`)
  })

  it('finds what is wrong with the last of 100,000 members', () => {
    const value: Record<string, unknown> = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, index) => [`k${index}`, 0]),
    )
    value['last'] = NaN
    expect(refused(value).path).toBe('$.last')
  })

  it('takes 100,000 big integers', () => {
    const value = Array.from({ length: 100_000 }, (_, index) => 2 ** 60 + index * 256)
    expect(encoded(value).text).toBe(`[${value.map(BigInt).join(',')}]`)
  })

  it('takes a wide array at every level of a deep one', () => {
    let value: unknown = 0
    for (let level = 0; level < 2000; level++) value = [1, value, ...Array.from({ length: 200 }, () => 2)]
    expect(codec.encode(value)).toMatchObject({ ok: true, bytes: 1 + 2000 * 404 })
  })

  it('takes a text of 16 MiB', () => {
    expect(encoded('abcdefgh'.repeat(2 ** 21)).bytes).toBe(2 ** 24 + 2)
  })
})
