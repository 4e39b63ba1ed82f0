import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it } from 'vitest'
import { codecs, textOf } from './codecs.js'

const VALUE = { a: [1, 'x', { b: null }], 2: [[]], c: 2 ** 60, ['__proto__x']: 'é' }
const TEXT = '{"2":[[]],"a":[1,"x",{"b":null}],"c":1152921504606846976,"__proto__x":"é"}'

const put = (prototype: object): void => {
  Object.defineProperty(prototype, 'toJSON', { configurable: true, writable: true, value: () => 'replaced' })
}

describe.each(Object.entries(codecs))('with a toJSON on a shared prototype, the encoder, %s,', (_, codec) => {
  afterEach(() => {
    Reflect.deleteProperty(Object.prototype, 'toJSON')
    Reflect.deleteProperty(Array.prototype, 'toJSON')
  })

  it.each([
    ['Object.prototype', Object.prototype],
    ['Array.prototype', Array.prototype],
  ])('ignores that of %s', (_name, prototype) => {
    put(prototype)
    expect(codec.encode(VALUE)).toStrictEqual({ ok: true, text: TEXT, bytes: Buffer.byteLength(TEXT) })
  })

  it('ignores one that a getter puts there half way', () => {
    const value = {
      a: [1],
      get b() {
        put(Object.prototype)
        return 2
      },
      c: { d: [] },
    }
    expect(codec.encode(value)).toMatchObject({ ok: true, text: '{"a":[1],"b":2,"c":{"d":[]}}' })
  })

  it('keeps an own __proto__ key', () => {
    put(Object.prototype)
    const text = '{"__proto__":{"a":[]},"b":[{"__proto__":1}]}'
    expect(codec.encode(JSON.parse(text))).toMatchObject({ ok: true, text })
  })
})

describe('a toJSON on a prototype of another realm', () => {
  it('is ignored', () => {
    const value = runInNewContext(
      'Object.prototype.toJSON = Array.prototype.toJSON = () => "replaced"; ({ a: [1, {}] })',
    )
    expect(textOf(value)).toBe('{"a":[1,{}]}')
  })
})
