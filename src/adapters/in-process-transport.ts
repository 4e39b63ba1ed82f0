import type { Transport, TransportReceiver } from '../ports/transport.js'

interface Waiting {
  readonly text: string
  readonly sent: () => void
}

/**
 * A channel to a guest in the same thread. What the guest posts is delivered at once; what the host sends waits until
 * the guest listens, and comes in turns of the event loop of its own, one text in each.
 */
export class InProcessTransport implements Transport {
  readonly #capBytes: number
  readonly #waiting: Waiting[] = []
  #receiver: TransportReceiver | undefined
  #listener: ((text: string) => void) | undefined
  #isScheduled = false
  #isClosed = false

  constructor(frameCapBytes: number) {
    this.#capBytes = frameCapBytes
  }

  open(receiver: TransportReceiver): void {
    this.#receiver = receiver
  }

  send(text: string, sent: (failure?: Error) => void): void {
    if (this.#isClosed) return
    this.#waiting.push({ text, sent })
    this.#schedule()
  }

  close(): void {
    this.#isClosed = true
    this.#waiting.length = 0
    this.#receiver = undefined
    this.#listener = undefined
  }

  /** The guest hears what the host sent, and sends, from now on. */
  listen(listener: (text: string) => void): void {
    if (this.#isClosed) return
    this.#listener = listener
    this.#schedule()
  }

  /** The guest sends a frame's text. */
  post(text: string): void {
    const receiver = this.#receiver
    if (receiver === undefined) return
    // A text has at least as many bytes as characters.
    const bytes = text.length > this.#capBytes ? text.length : Buffer.byteLength(text)
    if (bytes <= this.#capBytes) return receiver.frame(text, bytes)
    this.close()
    receiver.overflow(this.#capBytes)
  }

  #schedule(): void {
    if (this.#isScheduled || this.#listener === undefined || this.#waiting.length === 0) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#deliver()
    })
  }

  #deliver(): void {
    const next = this.#waiting.shift()
    if (next === undefined) return
    this.#listener?.(next.text)
    if (!this.#isClosed) next.sent()
    this.#schedule()
  }
}
