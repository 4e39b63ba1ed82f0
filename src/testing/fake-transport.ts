import type { GuestFrame, HostFrame } from '../domain/frame.js'
import type { Transport, TransportReceiver } from '../ports/transport.js'

/** A channel whose other end is the test: it reads what the host sent and plays the guest's frames. */
export class FakeTransport implements Transport {
  /** Every text that the host sent, in order. */
  readonly sentTexts: string[] = []
  /** Set it to make each later `send` fail with this error. */
  failure: Error | undefined
  isClosed = false
  #receiver: TransportReceiver | undefined
  #isPaused = false
  readonly #waiting: (() => void)[] = []
  readonly #listeners: (() => void)[] = []

  /** What the host sent, parsed. */
  get sent(): HostFrame[] {
    return this.sentTexts.map((text) => JSON.parse(text) as HostFrame)
  }

  open(receiver: TransportReceiver): void {
    this.#receiver = receiver
  }

  send(text: string, sent: (failure?: Error) => void): void {
    if (this.isClosed) return
    if (this.failure !== undefined) return sent(this.failure)
    this.sentTexts.push(text)
    if (this.#isPaused) this.#waiting.push(sent)
    else sent()
    for (const notify of this.#listeners.splice(0)) notify()
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

  /** The guest sent a frame over the cap. */
  overflow(capBytes: number): void {
    this.#receiver?.overflow(capBytes)
  }

  /** Resolves with the first sent frame of a type, when it was sent. */
  async sentFrame<Type extends HostFrame['type']>(type: Type): Promise<Extract<HostFrame, { type: Type }>> {
    for (;;) {
      const found = this.sent.find((frame) => frame.type === type)
      if (found !== undefined) return found as Extract<HostFrame, { type: Type }>
      await new Promise<void>((resolve) => this.#listeners.push(resolve))
    }
  }
}
