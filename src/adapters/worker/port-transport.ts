import type { Worker } from 'node:worker_threads'
import type { Transport, TransportReceiver } from '../../ports/transport.js'
import { type ControlBlock, consumedMessages, moreConsumed, noteTaken } from './control-block.js'
import { messageSize } from './message-size.js'

/** A message port buffers without bound: this much may be on its way to the worker. */
const WINDOW_BYTES = 1_048_576
const MESSAGE_OVERHEAD_BYTES = 64

/** One JSON text per message. Back-pressure comes from the worker's count of the messages that it took. */
export class PortTransport implements Transport {
  readonly #worker: Worker
  readonly #control: ControlBlock
  readonly #capBytes: number
  readonly #inFlightBytes: number[] = []
  #inFlightTotal = 0
  #consumed = 0
  #isClosed = false

  constructor(worker: Worker, control: ControlBlock, capBytes: number) {
    this.#worker = worker
    this.#control = control
    this.#capBytes = capBytes
  }

  open(receiver: TransportReceiver): void {
    this.#worker.on('message', (message: unknown) => {
      if (typeof message !== 'string') return
      noteTaken(this.#control, messageSize(message))
      if (!this.#isClosed) this.#receive(message, receiver)
    })
  }

  send(text: string, sent: (failure?: Error) => void): void {
    if (this.#isClosed) return
    try {
      this.#worker.postMessage(text)
    } catch (error) {
      return sent(error instanceof Error ? error : new Error(String(error)))
    }
    const bytes = Buffer.byteLength(text) + MESSAGE_OVERHEAD_BYTES
    this.#inFlightBytes.push(bytes)
    this.#inFlightTotal += bytes
    if (this.#hasRoom()) sent()
    else void this.#waitForRoom(sent)
  }

  close(): void {
    this.#isClosed = true
  }

  #receive(text: string, receiver: TransportReceiver): void {
    const bytes = text.length > this.#capBytes ? text.length : Buffer.byteLength(text)
    if (bytes <= this.#capBytes) return receiver.frame(text, bytes)
    this.close()
    receiver.overflow(this.#capBytes)
  }

  async #waitForRoom(sent: () => void): Promise<void> {
    while (!this.#hasRoom()) {
      await moreConsumed(this.#control, this.#consumed)
      if (this.#isClosed) return
    }
    sent()
  }

  #hasRoom(): boolean {
    if (this.#inFlightTotal <= WINDOW_BYTES) return true
    const consumed = consumedMessages(this.#control)
    const newly = (consumed - this.#consumed) | 0
    this.#consumed = consumed
    for (const bytes of this.#inFlightBytes.splice(0, newly)) this.#inFlightTotal -= bytes
    return this.#inFlightTotal <= WINDOW_BYTES
  }
}
