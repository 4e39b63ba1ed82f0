import { newQuickJSWASMModule, newVariant, RELEASE_SYNC } from 'quickjs-emscripten'
import { REALM } from './realm.js'

const PAGES_PER_MIB = 16
/** The engine's own, before any program. */
const FIRST_PAGES = 256
/** What the engine was built for. */
const MOST_PAGES = 32_768
/** What QuickJS may nest before it says so itself; the stack of the host is larger. */
const STACK_BYTES = 256 * 1_024
const OUT_OF_MEMORY = 'out of memory'

/** A QuickJS in a WebAssembly instance of its own, with the guest's agent in a realm that the program does not see. */
export class Engine {
  #options
  #memory
  #runtime
  #context
  #receive
  #busyMs = 0
  #cpuMicros = 0
  #enteredAtMs = 0
  #isInterrupted = false
  #outcome = 'fine'

  static async create(options) {
    const wasmMemory = newMemory(options.heapMb)
    return new Engine(options, await newQuickJSWASMModule(newVariant(RELEASE_SYNC, { wasmMemory })), wasmMemory)
  }

  constructor(options, module, memory) {
    this.#options = options
    this.#memory = memory
    this.#runtime = module.newRuntime()
    this.#runtime.setMaxStackSize(STACK_BYTES)
    this.#context = this.#runtime.newContext()
    this.#receive = this.#install(options.scripts)
    this.#runtime.setInterruptHandler(() => this.#mustStop())
  }

  get cpuMs() {
    return this.#cpuMicros / 1_000
  }

  /** A WebAssembly memory never shrinks. */
  get peakMemoryBytes() {
    return this.#memory.buffer.byteLength
  }

  /** Whatever runs ends at once. */
  interrupt() {
    this.#isInterrupted = true
  }

  /** Hands a frame to the agent and runs what follows from it: 'fine', 'wall', 'compute', 'memory' or 'broken'. */
  receive(text) {
    if (this.#outcome !== 'fine' || this.#isInterrupted) return this.#outcome
    const cpu = process.cpuUsage()
    this.#enteredAtMs = performance.now()
    try {
      this.#run(text)
    } catch {
      // The engine overflowed the stack of the host: nothing in it can be relied on.
      this.#outcome = 'broken'
    }
    this.#busyMs += performance.now() - this.#enteredAtMs
    const { user, system } = process.cpuUsage(cpu)
    this.#cpuMicros += user + system
    return this.#outcome
  }

  #run(text) {
    const context = this.#context
    this.#note(context.callFunction(this.#receive, context.undefined, context.newString(text)))
    while (this.#outcome === 'fine' && !this.#isInterrupted && this.#runtime.hasPendingJob()) {
      this.#note(this.#runtime.executePendingJobs(1))
    }
  }

  #note({ error }) {
    if (error === undefined || this.#outcome !== 'fine') return
    const { message = '' } = Object(this.#context.dump(error))
    this.#outcome = message === OUT_OF_MEMORY ? 'memory' : 'broken'
  }

  #mustStop() {
    const nowMs = performance.now()
    if (this.#busyMs + nowMs - this.#enteredAtMs > this.#options.computeMs) this.#outcome = 'compute'
    else if (nowMs > this.#options.wallEndsAtMs) this.#outcome = 'wall'
    return this.#isInterrupted || this.#outcome !== 'fine'
  }

  #install({ agent, realm }) {
    const context = this.#context
    const own = this.#runtime.newContext()
    const createAgent = own.unwrapResult(own.evalCode(agent, 'code-runtime:agent'))
    const createServices = context.unwrapResult(context.evalCode(realm, 'code-runtime:realm'))
    const install = context.unwrapResult(context.evalCode(REALM, 'code-runtime:install'))
    const host = [
      context.newFunction('post', (text) => this.#post(context.getString(text))),
      context.newFunction('evaluate', (script) => context.evalCode(context.getString(script), '<model>')),
      context.newFunction('outOfMemory', () => {
        this.#outcome = 'memory'
      }),
    ]
    return context.unwrapResult(context.callFunction(install, context.undefined, createAgent, createServices, ...host))
  }

  /** What the host does with a frame is no work of the program. */
  #post(text) {
    const postedAtMs = performance.now()
    this.#options.post(text)
    this.#enteredAtMs += performance.now() - postedAtMs
  }
}

// QuickJS's own limit does not count what small allocations add up to; the maximum of the memory holds for all of them.
const newMemory = (heapMb) => {
  const maximum = Math.min(MOST_PAGES, FIRST_PAGES + Math.ceil(heapMb * PAGES_PER_MIB))
  return new WebAssembly.Memory({ initial: FIRST_PAGES, maximum })
}
