import { nodeJsonEngine } from '../../../src/adapters/json-engine.js'
import { createJsonCodec, type Encoded, type Refused } from '../../../src/domain/json/codec.js'

export const codec = createJsonCodec(nodeJsonEngine)

/** The same encoder, made to take each of its ways. */
export const codecs = {
  default: codec,
  'text only': createJsonCodec(nodeJsonEngine, { batchBytes: 1, nativeDepth: 0, narrowKeys: 0 }),
  'tiny batches': createJsonCodec(nodeJsonEngine, { batchBytes: 24, nativeDepth: 1, narrowKeys: 2 }),
  'native only': createJsonCodec(nodeJsonEngine, { batchBytes: Infinity, nativeDepth: 1000, narrowKeys: Infinity }),
  'native and member by member': createJsonCodec(nodeJsonEngine, { batchBytes: 4096, nativeDepth: 50, narrowKeys: 1 }),
} as const

export const encoded = (value: unknown, maxBytes?: number): Encoded => {
  const encoding = codec.encode(value, maxBytes)
  if (!encoding.ok) throw new Error(`not encoded: ${JSON.stringify(encoding)}`)
  return encoding
}

export const textOf = (value: unknown): string => encoded(value).text

export const refused = (value: unknown): Refused => {
  const encoding = codec.encode(value)
  if (encoding.ok || encoding.kind !== 'lossy')
    throw new Error(`not refused: ${JSON.stringify(encoding).slice(0, 200)}`)
  return encoding
}

export const nest = (depth: number): unknown => {
  let value: unknown = 0
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}
