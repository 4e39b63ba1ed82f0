import type { Position } from '../../domain/source-map.js'

/** A text by its lines; lines and columns count from 1, columns and offsets in UTF-16 units. */
export class Lines {
  readonly #starts = [0]
  readonly #length: number

  constructor(text: string, breaks: RegExp) {
    for (const found of text.matchAll(breaks)) this.#starts.push(found.index + found[0].length)
    this.#length = text.length
  }

  /** A position after the text's end is its end. */
  offset({ line, column }: Position): number {
    return Math.min((this.#starts[line - 1] ?? this.#length) + column - 1, this.#length)
  }

  position(offset: number): Position {
    const line = this.#lineAt(offset)
    return { line, column: offset - (this.#starts[line - 1] ?? 0) + 1 }
  }

  #lineAt(offset: number): number {
    let low = 1
    let high = this.#starts.length
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#starts[middle - 1] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
}

/** Lines as ECMAScript, its engines and its source maps count them. */
export const scriptLines = (text: string): Lines => new Lines(text, /\r\n|[\n\r\u2028\u2029]/g)

/** Lines as swc counts them in what it reads. */
export const swcSourceLines = (text: string): Lines => new Lines(text, /\r\n|[\n\r]/g)

/** Lines as swc counts them in what it writes. */
export const swcOutputLines = (text: string): Lines => new Lines(text, /\n/g)
