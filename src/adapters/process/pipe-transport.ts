import { isUtf8 } from 'node:buffer'
import type { Duplex } from 'node:stream'
import { frameLines } from '../../domain/frame-lines.js'
import type { LineSplitter } from '../../domain/line-splitter.js'
import type { Transport, TransportReceiver } from '../../ports/transport.js'
import { readRest } from './read-rest.js'

/** One JSON text per line over a pipe that goes both ways. */
export class PipeTransport implements Transport {
  readonly #pipe: Duplex
  readonly #capBytes: number
  #splitter: LineSplitter | undefined
  #isClosed = false
  #isGathering = false

  constructor(pipe: Duplex, capBytes: number) {
    this.#pipe = pipe
    this.#capBytes = capBytes
    // A guest that closed its end says by its exit what happened (EPIPE, ECONNRESET).
    pipe.on('error', () => this.close())
  }

  open(receiver: TransportReceiver): void {
    this.#splitter = frameLines(this.#capBytes, isUtf8, {
      frame: (text, bytes) => {
        if (!this.#isClosed) receiver.frame(text, bytes)
      },
      overflow: (capBytes) => {
        this.close()
        receiver.overflow(capBytes)
      },
    })
    this.#pipe.on('data', (chunk: Buffer) => this.#take(chunk))
  }

  send(text: string, sent: (failure?: Error) => void): void {
    if (this.#isClosed) return
    this.#gather()
    try {
      if (this.#pipe.write(`${text}\n`, (failure) => this.#afterWrite(failure))) return sent()
    } catch (error) {
      return sent(error instanceof Error ? error : new Error(String(error)))
    }
    this.#pipe.once('drain', () => {
      if (!this.#isClosed) sent()
    })
  }

  /** What is sent in one turn goes out in one write: a small one takes far more of the kernel's buffer than its bytes. */
  #gather(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    this.#pipe.cork()
    process.nextTick(() => {
      this.#isGathering = false
      this.#pipe.uncork()
    })
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#splitter = undefined
    this.#pipe.removeAllListeners('drain')
    this.#pipe.destroy()
  }

  /** A failed write destroys the pipe, and with it what the guest wrote before it closed its end. */
  #afterWrite(failure: Error | null | undefined): void {
    if (failure && !this.#isClosed) readRest(this.#pipe, (chunk) => this.#take(chunk))
  }

  #take(chunk: Buffer): void {
    if (!this.#isClosed) this.#splitter?.push(chunk)
  }
}
