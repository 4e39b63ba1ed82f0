import { isUtf8 } from 'node:buffer'
import type { GuestFrame, HostFrame } from '../domain/frame.js'
import { frameLines } from '../domain/frame-lines.js'
import type { LineSplitter } from '../domain/line-splitter.js'
import type { Transport, TransportReceiver } from '../ports/transport.js'

/** A channel whose other end is the test: it reads what the host sent and plays the guest's frames. */
export class FakeTransport implements Transport {
  /** Every text that the host sent, in order. */
  readonly sentTexts: string[] = []
  /** Set it to make each later `send` fail with this error. */
  failure: Error | undefined
  isClosed = false
  readonly #capBytes: number
  readonly #listeners = new Set<(frame: HostFrame) => void>()
  #receiver: TransportReceiver | undefined
  #lines: LineSplitter | undefined
  #isPaused = false
  readonly #waiting: (() => void)[] = []

  /** `capBytes` bounds a line of `receiveBytes`. */
  constructor(capBytes = Number.POSITIVE_INFINITY) {
    this.#capBytes = capBytes
  }

  /** What the host sent, parsed. */
  get sent(): HostFrame[] {
    return this.sentTexts.map((text) => JSON.parse(text) as HostFrame)
  }

  open(receiver: TransportReceiver): void {
    this.#receiver = receiver
    this.#lines = frameLines(this.#capBytes, isUtf8, {
      frame: (...frame) => this.#receiver?.frame(...frame),
      overflow: (capBytes) => this.overflow(capBytes),
    })
  }

  send(text: string, sent: (failure?: Error) => void): void {
    if (this.isClosed) return
    if (this.failure !== undefined) return sent(this.failure)
    this.sentTexts.push(text)
    if (this.#isPaused) this.#waiting.push(sent)
    else sent()
    if (this.#listeners.size === 0) return
    const frame = JSON.parse(text) as HostFrame
    for (const heard of this.#listeners) heard(frame)
  }

  close(): void {
    this.isClosed = true
    this.#receiver = undefined
    this.#waiting.length = 0
  }

  /** From now on the channel is full: `sent` waits until `drain()`. */
  pause(): void {
    this.#isPaused = true
  }

  /** The channel takes one text more; with `all`, everything again. */
  drain(all = false): void {
    if (all) this.#isPaused = false
    for (const sent of this.#waiting.splice(0, all ? Number.POSITIVE_INFINITY : 1)) sent()
  }

  /** The guest sends a frame. */
  receive(frame: GuestFrame | Record<string, unknown>): void {
    this.receiveText(JSON.stringify(frame))
  }

  /** The guest sends any text at all. */
  receiveText(text: string): void {
    this.#receiver?.frame(text, Buffer.byteLength(text))
  }

  /**
   * Raw bytes come from the guest, whole lines or not, as from a pipe; with `chunkBytes` in pieces of so many. Half a
   * line waits for its rest.
   */
  receiveBytes(bytes: string | Uint8Array, { chunkBytes = Number.POSITIVE_INFINITY } = {}): void {
    const all = Buffer.from(bytes as Uint8Array)
    for (let start = 0; start < all.length; start += chunkBytes) {
      this.#lines?.push(all.subarray(start, start + chunkBytes))
    }
  }

  /** The guest sent a frame over the cap. */
  overflow(capBytes: number): void {
    this.#receiver?.overflow(capBytes)
  }

  /** Hears every frame that the host sends from now on. Returns what ends that. */
  onSent(heard: (frame: HostFrame) => void): () => void {
    this.#listeners.add(heard)
    return () => this.#listeners.delete(heard)
  }

  /** Resolves with the first sent frame of a type, when it was sent. */
  async sentFrame<Type extends HostFrame['type']>(type: Type): Promise<Extract<HostFrame, { type: Type }>> {
    const isOfType = (frame: HostFrame): frame is Extract<HostFrame, { type: Type }> => frame.type === type
    const found = this.sent.find(isOfType)
    if (found !== undefined) return found
    return new Promise((resolve) => {
      const stop = this.onSent((frame) => {
        if (!isOfType(frame)) return
        stop()
        resolve(frame)
      })
    })
  }
}
