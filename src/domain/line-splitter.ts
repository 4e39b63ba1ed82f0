const NEWLINE = 0x0a
/** Smaller chunks are copied together: a flood of one-byte writes costs no object each. */
const SMALL_BYTES = 1_024

export interface LineReceiver {
  /** One line without its newline; never an empty one. */
  line(bytes: Buffer): void
  /** A line grew over the cap: nothing more is delivered. */
  overflow(): void
}

/** Bytes to lines, however they are chunked. A line's bytes are joined once, after its size was checked. */
export class LineSplitter {
  readonly #capBytes: number
  readonly #receiver: LineReceiver
  #pieces: Buffer[] = []
  #small = Buffer.alloc(0)
  #smallBytes = 0
  #lineBytes = 0
  #isOver = false

  constructor(capBytes: number, receiver: LineReceiver) {
    this.#capBytes = capBytes
    this.#receiver = receiver
  }

  push(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1 && !this.#isOver; end = chunk.indexOf(NEWLINE, start)) {
      if (this.#keep(chunk.subarray(start, end), true)) this.#endLine()
      start = end + 1
    }
    if (!this.#isOver) this.#keep(chunk.subarray(start), false)
  }

  #keep(bytes: Buffer, isWhole: boolean): boolean {
    this.#lineBytes += bytes.length
    if (this.#lineBytes > this.#capBytes) {
      this.#isOver = true
      this.#forget()
      this.#receiver.overflow()
      return false
    }
    if (bytes.length === 0) return true
    if (isWhole && this.#lineBytes === bytes.length) this.#pieces.push(bytes)
    else if (bytes.length < SMALL_BYTES) this.#copy(bytes)
    else this.#addPiece(bytes)
    return true
  }

  #copy(bytes: Buffer): void {
    const needed = this.#smallBytes + bytes.length
    if (needed > this.#small.length) {
      const grown = Buffer.allocUnsafe(Math.max(SMALL_BYTES, needed * 2))
      this.#small.copy(grown, 0, 0, this.#smallBytes)
      this.#small = grown
    }
    bytes.copy(this.#small, this.#smallBytes)
    this.#smallBytes = needed
  }

  #addPiece(bytes: Buffer): void {
    this.#flushSmall()
    this.#pieces.push(bytes)
  }

  #flushSmall(): void {
    if (this.#smallBytes === 0) return
    this.#pieces.push(this.#small.subarray(0, this.#smallBytes))
    this.#small = Buffer.alloc(0)
    this.#smallBytes = 0
  }

  #endLine(): void {
    this.#flushSmall()
    const [first] = this.#pieces
    const line = this.#pieces.length > 1 ? Buffer.concat(this.#pieces, this.#lineBytes) : first
    this.#forget()
    if (line !== undefined) this.#receiver.line(line)
  }

  #forget(): void {
    this.#pieces = []
    this.#small = Buffer.alloc(0)
    this.#smallBytes = 0
    this.#lineBytes = 0
  }
}
