import { Ancestors } from './ancestors.js'
import type { AnyFrame } from './frames.js'
import { Items } from './items.js'
import type { Step } from './path.js'

/** The frames around the slot that is being read. The outermost is none of the value's: its only item is the value. */
export class Stack {
  readonly ancestors = new Ancestors()
  readonly #frames: AnyFrame[]

  constructor(root: unknown) {
    this.#frames = [new Items([root], 1)]
  }

  get top(): AnyFrame {
    return this.#frames[this.#frames.length - 1] as AnyFrame
  }

  get isAtRoot(): boolean {
    return this.#frames.length === 1
  }

  push(frame: AnyFrame): void {
    this.#frames.push(frame)
    this.ancestors.addFramed(frame.source)
  }

  pop(): void {
    this.ancestors.deleteFramed(this.top.source)
    this.#frames.pop()
  }

  steps(): Step[] {
    return this.#frames.slice(1).map((frame) => frame.step())
  }
}
