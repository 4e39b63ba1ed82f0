import { jsonTextBytes } from './json-cost.js'
import type { LogBook } from './log-book.js'
import type { OutputStream } from './outcome.js'

interface Pending {
  readonly decoder: InstanceType<typeof TextDecoder>
  text: string
  bytes: number
}

const newPending = (): Pending => ({ decoder: new TextDecoder('utf-8', { ignoreBOM: true }), text: '', bytes: 0 })

/**
 * Raw output that bypassed the language's streams, as lines. A chunk is never an entry boundary: an unterminated
 * line waits, within what the ledger has left for both streams together.
 */
export class StrayOutput {
  readonly #log: LogBook
  readonly #pending: Record<OutputStream, Pending> = { stdout: newPending(), stderr: newPending() }

  constructor(log: LogBook) {
    this.#log = log
  }

  add(stream: OutputStream, chunk: Uint8Array): void {
    if (this.#log.isTruncated) return this.#forget()
    this.#addText(stream, this.#pending[stream].decoder.decode(chunk, { stream: true }))
  }

  /** The streams are closed: what still waits is the last line of each. */
  end(): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      if (this.#log.isTruncated) return
      const pending = this.#pending[stream]
      this.#addText(stream, pending.decoder.decode())
      if (pending.text !== '') this.#flush(stream)
    }
  }

  #addText(stream: OutputStream, text: string): void {
    const lastNewline = text.lastIndexOf('\n')
    if (lastNewline !== -1) {
      const lines = this.#take(stream) + text.slice(0, lastNewline)
      this.#log.add(stream, lines, false, 'stray')
    }
    this.#wait(stream, text.slice(lastNewline + 1))
  }

  #wait(stream: OutputStream, text: string): void {
    if (text === '' || this.#log.isTruncated) return
    const pending = this.#pending[stream]
    const roomBytes = this.#log.remainingBytes - this.#pending.stdout.bytes - this.#pending.stderr.bytes
    const bytes = jsonTextBytes(text, roomBytes)
    if (bytes === undefined) return this.#overflow(stream)
    pending.text += text
    pending.bytes += bytes
  }

  #overflow(stream: OutputStream): void {
    this.#take(stream)
    this.#flush(stream === 'stdout' ? 'stderr' : 'stdout')
    this.#log.truncate(stream)
  }

  #flush(stream: OutputStream): void {
    const text = this.#take(stream)
    if (text !== '') this.#log.add(stream, text, false, 'stray')
  }

  #forget(): void {
    this.#take('stdout')
    this.#take('stderr')
  }

  #take(stream: OutputStream): string {
    const pending = this.#pending[stream]
    const { text } = pending
    pending.text = ''
    pending.bytes = 0
    return text
  }
}
