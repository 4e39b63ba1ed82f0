import { isUtf8 } from 'node:buffer'
import type { Duplex } from 'node:stream'
import { LineSplitter } from '../../domain/line-splitter.js'
import type { Transport, TransportReceiver } from '../../ports/transport.js'

/** One JSON text per line over a pipe that goes both ways. */
export class PipeTransport implements Transport {
  readonly #pipe: Duplex
  readonly #capBytes: number
  #isClosed = false

  constructor(pipe: Duplex, capBytes: number) {
    this.#pipe = pipe
    this.#capBytes = capBytes
    // A guest that closed its end says by its exit what happened (EPIPE, ECONNRESET).
    pipe.on('error', () => this.close())
  }

  open(receiver: TransportReceiver): void {
    const splitter = new LineSplitter(this.#capBytes, {
      line: (bytes) => {
        if (!this.#isClosed && isUtf8(bytes)) receiver.frame(bytes.toString('utf8'), bytes.length)
      },
      overflow: () => {
        this.close()
        receiver.overflow(this.#capBytes)
      },
    })
    this.#pipe.on('data', (chunk: Buffer) => {
      if (!this.#isClosed) splitter.push(chunk)
    })
  }

  send(text: string, sent: (failure?: Error) => void): void {
    if (this.#isClosed) return
    try {
      if (this.#pipe.write(`${text}\n`)) return sent()
    } catch (error) {
      return sent(error instanceof Error ? error : new Error(String(error)))
    }
    this.#pipe.once('drain', () => {
      if (!this.#isClosed) sent()
    })
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#pipe.removeAllListeners('drain')
    this.#pipe.destroy()
  }
}
