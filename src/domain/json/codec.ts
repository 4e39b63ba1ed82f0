import { Encoder } from './encoder.js'
import type { Encoding } from './encoding.js'
import type { JsonEngine } from './engine.js'
import { type Measured, Meter } from './meter.js'
import { PACE, type Pace } from './pace.js'
import { hasInexactInteger } from './tokens.js'

export type { Encoded, Encoding, Refused } from './encoding.js'
export type { JsonEngine } from './engine.js'
export type { Measured } from './meter.js'

export type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false }

export interface JsonCodec {
  /** The compact JSON text of a value that crosses without loss. Never throws. */
  encode(value: unknown, maxBytes?: number): Encoding
  /** Measures a value that JSON.parse made, without writing it. */
  measure(value: unknown, maxBytes: number): Measured
  /** JSON.parse that refuses an integer which a double cannot hold. */
  parse(text: string): Parsed
  utf8Bytes(text: string): number
}

export const createJsonCodec = (engine: JsonEngine, pace: Pace = PACE): JsonCodec => ({
  encode: (value, maxBytes = Number.POSITIVE_INFINITY) => new Encoder(engine, pace, value, maxBytes).run(),
  measure: (value, maxBytes) => new Meter(maxBytes).run(value),
  parse: parseLossless,
  utf8Bytes: (text) => engine.utf8Bytes(text),
})

const parseLossless = (text: string): Parsed => {
  try {
    const value: unknown = JSON.parse(text)
    return hasInexactInteger(text) ? { ok: false } : { ok: true, value }
  } catch {
    return { ok: false }
  }
}
