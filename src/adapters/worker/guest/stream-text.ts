import { Buffer } from 'node:buffer'
import { TextDecoder } from 'node:util'

const { apply } = Reflect
const { decode } = TextDecoder.prototype
const bufferFrom = Buffer.from
const STREAMING = { stream: true }

/** The text of what is written to one stream: a character that is split across chunks stays whole. */
export class StreamText {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  #isPartial = false

  next(chunk: string | Uint8Array, encoding?: BufferEncoding): string {
    const isText = typeof chunk === 'string' && (encoding === undefined || encoding === 'utf8' || encoding === 'utf-8')
    if (isText) return this.end() + chunk
    const bytes = typeof chunk === 'string' ? apply(bufferFrom, Buffer, [chunk, encoding]) : chunk
    this.#isPartial = true
    return apply(decode, this.#decoder, [bytes, STREAMING])
  }

  /** What is left of a character that never became whole. */
  end(): string {
    if (!this.#isPartial) return ''
    this.#isPartial = false
    return apply(decode, this.#decoder, [])
  }
}
