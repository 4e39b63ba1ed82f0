import { LineMeter } from '../../../domain/line-meter.js'
import type { OutputStream } from '../../../domain/outcome.js'

/** Turns printed text into log frames, within the budget: after its own truncation a guest sends nothing more. */
export class ProgramLog {
  readonly #post: (text: string) => void
  #meter: LineMeter<OutputStream> | undefined

  constructor(post: (text: string) => void) {
    this.#post = post
  }

  begin(maxLogBytes: number): void {
    this.#meter = new LineMeter(maxLogBytes)
  }

  print(stream: OutputStream, text: string): void {
    if (this.#meter === undefined) return
    const pieces: string[] = []
    let isOpen = false
    const isAdmitted = this.#meter.add(stream, wellFormed(text), true, (piece) => {
      pieces.push(piece.text)
      isOpen = piece.isOpen
    })
    if (pieces.length > 0) this.#send({ text: pieces.join('\n'), stream, ...(isOpen ? { open: true } : {}) })
    if (isAdmitted) return
    this.#meter = undefined
    this.#send({ text: '', stream, truncated: true })
  }

  #send(fields: { text: string; stream: OutputStream; open?: true; truncated?: true }): void {
    this.#post(JSON.stringify({ type: 'log', ...fields }))
  }
}

// In V8 since Node 20; TypeScript declares it only from ES2024 on.
const wellFormed = (text: string): string => (text as string & { toWellFormed(): string }).toWellFormed()
