import { InProcessTransport } from 'code-runtime/backend'
import { Engine } from './engine.js'

/**
 * One run. Everything of it is in its engine, which is dropped at the end.
 * @implements {import('code-runtime').Guest}
 */
export class QuickJsGuest {
  stopWithinMs = 1_000
  transport
  /** Resolves when the guest is gone. */
  gone
  #options
  #sink
  #engine
  #isEnded = false
  #resolveGone

  constructor(options) {
    this.#options = options
    this.transport = new InProcessTransport(options.frameCapBytes)
    this.gone = new Promise((resolve) => {
      this.#resolveGone = resolve
    })
  }

  start(sink) {
    this.#sink = sink
    this.transport.open(sink)
    this.#boot(performance.now()).catch((error) => this.#end({ type: 'failed-to-start', message: error.message }))
  }

  usage() {
    return { cpuMs: this.#engine?.cpuMs ?? null, peakMemoryBytes: this.#engine?.peakMemoryBytes ?? null }
  }

  stop() {
    this.#engine?.interrupt()
    this.#end({ type: 'exited', code: 0 })
  }

  async #boot(startedAtMs) {
    const { limits, scripts } = this.#options
    const engine = await Engine.create({
      scripts,
      computeMs: limits.computeMs,
      wallEndsAtMs: startedAtMs + limits.maxWallMs,
      heapMb: limits.maxHeapMb,
      post: (text) => this.transport.post(text),
    })
    if (this.#isEnded) return
    this.#engine = engine
    this.transport.listen((text) => this.#report(engine.receive(text)))
  }

  /** The wall time that is over is told by the runtime itself, as soon as the thread is free. */
  #report(outcome) {
    const { limits } = this.#options
    if (outcome === 'compute') {
      this.#sink.budget(`the program was busy for more than ${limits.computeMs} ms of compute time (computeMs)`)
    }
    if (outcome === 'memory') {
      this.#sink.broken(`the program ran out of memory: more than ${limits.maxHeapMb} MB of heap (maxHeapMb)`)
    }
    if (outcome === 'broken') this.#sink.broken('the engine of the program broke down')
  }

  /** In a turn of its own: a program that is stopped by its own frame is still on the stack. */
  #end(exit) {
    if (this.#isEnded) return
    this.#isEnded = true
    this.transport.close()
    setImmediate(() => {
      this.#options.onGone()
      this.#sink?.gone(exit)
      this.#resolveGone()
    })
  }
}
