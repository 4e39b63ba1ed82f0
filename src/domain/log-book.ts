import { truncationMarker } from './ledger.js'
import { LineMeter } from './line-meter.js'
import type { OutputStream } from './outcome.js'

/** Who wrote a text: the language's streams (log frames), or something that bypassed them. */
export type LogOrigin = 'frame' | 'stray'

export type LogListener = (stream: OutputStream, text: string, isOpen: boolean) => void

type Source = `${LogOrigin}:${OutputStream}`

/** The log of one run: its entries, and the marker that ends a log over budget. */
export class LogBook {
  readonly #maxLogBytes: number
  readonly #meter: LineMeter<Source>
  readonly #onText: LogListener
  readonly #entries: string[] = []
  readonly #lastEntry = new Map<Source, number>()
  #isTruncated = false

  constructor(maxLogBytes: number, onText: LogListener = () => {}) {
    this.#maxLogBytes = maxLogBytes
    this.#meter = new LineMeter(maxLogBytes)
    this.#onText = onText
  }

  get isTruncated(): boolean {
    return this.#isTruncated
  }

  get remainingBytes(): number {
    return this.#meter.remainingBytes
  }

  get entries(): readonly string[] {
    return this.#entries
  }

  add(stream: OutputStream, text: string, isOpen: boolean, origin: LogOrigin = 'frame'): void {
    if (this.#isTruncated) return
    const source: Source = `${origin}:${stream}`
    const isAdmitted = this.#meter.add(source, text, isOpen, (piece) => {
      if (piece.continues) this.#entries[this.#lastEntry.get(source) as number] += piece.text
      else this.#lastEntry.set(source, this.#entries.push(piece.text) - 1)
      this.#onText(stream, piece.text, piece.isOpen)
    })
    if (!isAdmitted) this.truncate(stream)
  }

  /** Ends the capture: the marker is the last entry, free of charge. */
  truncate(stream: OutputStream): void {
    if (this.#isTruncated) return
    this.#isTruncated = true
    const marker = truncationMarker(this.#maxLogBytes)
    this.#entries.push(marker)
    this.#onText(stream, marker, false)
  }
}
