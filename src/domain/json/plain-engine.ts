import type { JsonEngine } from './engine.js'

const { ownKeys } = Reflect

/** What the codec needs, by the intrinsics of ECMAScript alone. */
export const plainJsonEngine: JsonEngine = {
  utf8Bytes: (text) => {
    let bytes = 0
    for (let at = 0; at < text.length; at += 1) {
      const point = text.codePointAt(at) as number
      bytes += pointBytes(point)
      if (point > 0xffff) at += 1
    }
    return bytes
  },
  // Among the own keys the indices come first, then `length`.
  hasOnlyIndices: (array) => {
    const keys = ownKeys(array)
    return keys.length === array.length + 1 && keys[array.length] === 'length'
  },
}

const pointBytes = (point: number): number => {
  if (point < 0x80) return 1
  if (point < 0x800) return 2
  return point > 0xffff ? 4 : 3
}
