import { describe, expect, it } from 'vitest'
import { nodeJsonEngine } from '../../../src/adapters/json-engine.js'
import { plainJsonEngine } from '../../../src/domain/json/plain-engine.js'

describe('the plain engine agrees with that of Node', () => {
  it.each(['', 'a', 'é', '中', '😀', '\ud800', '\udc00a', '\ud800\ud800\udc00', '\u007f\u0080\u07ff\u0800\uffff'])(
    'about the bytes of %j',
    (text) => {
      expect(plainJsonEngine.utf8Bytes(text)).toBe(nodeJsonEngine.utf8Bytes(text))
    },
  )

  const items = Array.from({ length: 40 }, (_, index) => index)
  it.each<[title: string, array: unknown[]]>([
    ['no item', []],
    ['few items', [1, 2]],
    ['many items', items],
    ['few items and a name', Object.assign([1], { x: 1 })],
    ['many items and a name', Object.assign([...items], { x: 1 })],
    ['a symbol', Object.assign([1], { [Symbol('s')]: 1 })],
    ['a hole', Object.assign(Array(3), { 0: 1, 2: 3 })],
  ])('about an array of %s', (_title, array) => {
    expect(plainJsonEngine.hasOnlyIndices(array)).toBe(nodeJsonEngine.hasOnlyIndices(array))
  })
})
