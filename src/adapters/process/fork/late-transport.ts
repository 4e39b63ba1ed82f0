import type { Transport, TransportReceiver } from '../../../ports/transport.js'

/** A transport whose other end is connected later: until then nothing is sent. */
export class LateTransport implements Transport {
  readonly #waiting: [text: string, sent: (failure?: Error) => void][] = []
  readonly #closedUnused: () => void
  #transport: Transport | undefined
  #receiver: TransportReceiver | undefined
  #isClosed = false

  /** Calls back when it is closed before it was connected. */
  constructor(closedUnused: () => void) {
    this.#closedUnused = closedUnused
  }

  /** The connection. */
  attach(transport: Transport): void {
    if (this.#isClosed) return transport.close()
    this.#transport = transport
    if (this.#receiver !== undefined) transport.open(this.#receiver)
    for (const [text, sent] of this.#waiting.splice(0)) transport.send(text, sent)
  }

  open(receiver: TransportReceiver): void {
    this.#receiver = receiver
    this.#transport?.open(receiver)
  }

  send(text: string, sent: (failure?: Error) => void): void {
    if (this.#isClosed) return
    if (this.#transport === undefined) this.#waiting.push([text, sent])
    else this.#transport.send(text, sent)
  }

  close(): void {
    this.#isClosed = true
    this.#waiting.length = 0
    if (this.#transport === undefined) this.#closedUnused()
    else this.#transport.close()
  }
}
