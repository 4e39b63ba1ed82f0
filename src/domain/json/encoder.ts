import { Cost } from './cost.js'
import { type Encoding, OVER_BUDGET, type Problem, type Refused } from './encoding.js'
import type { JsonEngine } from './engine.js'
import type { Fault } from './faults.js'
import { spellNumber } from './numbers.js'
import type { Pace } from './pace.js'
import { spellPath } from './path.js'
import { Reader } from './reader.js'
import type { Reading } from './reading.js'
import { Stack } from './stack.js'

/** Encodes one value: reads as much of it as one native call should write, writes that, and reads on. */
export class Encoder {
  readonly #engine: JsonEngine
  readonly #cost: Cost
  readonly #stack: Stack
  readonly #reader: Reader
  #text = ''

  constructor(engine: JsonEngine, pace: Pace, root: unknown, maxBytes: number) {
    this.#engine = engine
    this.#cost = new Cost(maxBytes)
    this.#stack = new Stack(root)
    this.#reader = new Reader({ engine, pace, cost: this.#cost, ancestors: this.#stack.ancestors })
  }

  run(): Encoding {
    try {
      return this.#encode()
    } catch (error) {
      // V8 makes no string of 512 MiB or more.
      if (error instanceof RangeError) return OVER_BUDGET
      throw error
    }
  }

  #encode(): Encoding {
    for (;;) {
      const frame = this.#stack.top
      const problem = this.#advance()
      if (problem !== undefined) return problem
      if (!frame.isDone) continue
      if (this.#stack.isAtRoot) return this.#finish()
      this.#close()
    }
  }

  #advance(): Problem | undefined {
    const reading = this.#reader.read(this.#stack.top)
    if (reading.stop?.kind === 'fault') return this.#refuse(reading, reading.stop.fault)
    if (reading.stop?.kind === 'over-budget' || !this.#cost.hasRoom()) return OVER_BUDGET
    this.#write(this.#textOf(reading))
    this.#cost.pendingBytes = 0
    return undefined
  }

  // The text of what was read. Behind it every frame on the stack is open and has nothing waiting.
  #textOf({ left, stop }: Reading): string {
    let text = this.#stack.top.takeText()
    for (const frame of left) {
      text += this.#stack.top.lead() + frame.opening + frame.takeText()
      this.#stack.push(frame)
    }
    if (stop?.kind !== 'digits') return text
    text += this.#stack.top.lead() + spellNumber(stop.value)
    this.#stack.top.skip()
    return text
  }

  #close(): void {
    this.#write(this.#stack.top.closing)
    this.#stack.pop()
    this.#stack.top.skip()
  }

  #write(text: string): void {
    this.#cost.writtenBytes += this.#engine.utf8Bytes(text)
    this.#text += text
  }

  #finish(): Encoding {
    const bytes = this.#cost.writtenBytes
    return bytes <= this.#cost.maxBytes ? { ok: true, text: this.#text, bytes } : OVER_BUDGET
  }

  #refuse({ left }: Reading, { step, reason, hint }: Fault): Refused {
    for (const frame of left) this.#stack.push(frame)
    const steps = this.#stack.steps()
    const path = spellPath(step === undefined ? steps : [...steps, step])
    return { ok: false, kind: 'lossy', path, reason, ...(hint === undefined ? {} : { hint }) }
  }
}
