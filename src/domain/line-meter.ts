import { Ledger } from './ledger.js'

export interface AdmittedPiece {
  readonly text: string
  /** It continues an entry that was left open. */
  readonly continues: boolean
  /** It leaves its entry open. */
  readonly isOpen: boolean
}

/** Splits printed text into pieces of lines and bills them, for any number of streams that share one budget. */
export class LineMeter<Stream> {
  readonly #ledger: Ledger
  readonly #open = new Set<Stream>()

  constructor(maxLogBytes: number) {
    this.#ledger = new Ledger(maxLogBytes)
  }

  get remainingBytes(): number {
    return this.#ledger.remainingBytes
  }

  /**
   * Each newline ends an entry; `isOpen` leaves the last one open for the next text of its stream. False when a
   * piece was not admitted: nothing may follow it.
   */
  add(stream: Stream, text: string, isOpen: boolean, take: (piece: AdmittedPiece) => void): boolean {
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      if (!this.#addPiece(stream, text.slice(start, end), false, take)) return false
      start = end + 1
    }
    return this.#addPiece(stream, text.slice(start), isOpen, take)
  }

  #addPiece(stream: Stream, text: string, isOpen: boolean, take: (piece: AdmittedPiece) => void): boolean {
    const continues = this.#open.has(stream)
    if (isOpen && text === '') return true
    const isAdmitted = continues ? this.#ledger.admitContinuation(text) : this.#ledger.admitEntry(text)
    if (!isAdmitted) return false
    if (isOpen) this.#open.add(stream)
    else this.#open.delete(stream)
    take({ text, continues, isOpen })
    return true
  }
}
