import type { GuestExit, GuestUsage } from '../../domain/exit.js'
import { type ResolvedLimits, STOP_MARGIN_MS } from '../../domain/limits.js'
import { isAnswered, type StopReason } from '../../domain/run-events.js'
import type { Clock } from '../../ports/clock.js'
import type { Guest, GuestSink } from '../../ports/guest.js'
import type { ControlledProcess, ProcessControl, ProcessExit, ProcessIdentity } from '../../ports/process-control.js'
import { CpuMeter } from './cpu-meter.js'
import { drain } from './drain.js'
import type { StartedGuest } from './guest-starter.js'
import { tearDown } from './teardown.js'
import { withinMs } from './within-ms.js'

/** Streams that were let go of are closed in the next turns. */
const CLOSE_MS = 1_000

const OUTPUTS = ['stdout', 'stderr'] as const

/** A turn of the event loop reads what a pipe holds; a stream may hand it on in the next one. */
const TURNS_TO_READ = 2

export interface PythonGuestOptions extends StartedGuest {
  readonly limits: ResolvedLimits
  readonly clock: Clock
  readonly processControl: ProcessControl
}

/** One CPython process: started when it is made, used for one run at most. */
export class PythonGuest implements Guest {
  readonly stopWithinMs: number
  /** Resolves when its process is known, with nothing when it could not be started. Never rejects. */
  readonly started: Promise<ProcessIdentity | undefined>
  /** Resolves when the process and everything that it left behind is gone. Never rejects. */
  readonly ended: Promise<void>
  readonly #options: PythonGuestOptions
  readonly #process: ControlledProcess
  readonly #exited: Promise<ProcessExit>
  readonly #closed: Promise<void>
  readonly #meter: CpuMeter
  #sink: GuestSink | undefined
  #isAlive = true
  #isStopping = false
  #receivedBytes = 0
  #teardown: Promise<void> | undefined
  #gone: Promise<void> | undefined

  constructor(options: PythonGuestOptions) {
    const { limits, process } = options
    this.#options = options
    this.stopWithinMs = limits.graceMs + STOP_MARGIN_MS
    this.#process = process
    this.#exited = new Promise((resolve) => this.#process.onExit(resolve))
    this.#closed = new Promise((resolve) => {
      this.#process.onClose(resolve)
      void this.#exited.then((exit) => 'startFailure' in exit && resolve())
    })
    this.started = new Promise((resolve) => {
      process.onStart(resolve)
      void this.#exited.then(() => resolve(process.identity))
    })
    this.#meter = new CpuMeter({ ...options, ...limits })
    this.ended = this.#exited.then(() => {
      this.#isAlive = false
      return this.#end()
    })
  }

  /** False as soon as its process has exited. */
  get isAlive(): boolean {
    return this.#isAlive
  }

  get transport() {
    return this.#process.channel
  }

  unref(): void {
    this.#process.unref()
  }

  start(sink: GuestSink): void {
    this.#sink = sink
    this.#process.ref()
    this.transport.open({
      frame: (text, bytes) => {
        this.#receivedBytes += bytes
        sink.frame(text, bytes)
      },
      overflow: (capBytes) => sink.overflow(capBytes),
    })
    for (const name of OUTPUTS) this.#listen(name, sink)
    // After the first frame was sent: the guest takes it meanwhile.
    queueMicrotask(() => {
      if (!this.#isStopping) this.#meter.start((message) => sink.budget(message))
    })
    this.#gone = this.#watchEnd()
  }

  usage(): GuestUsage {
    return this.#meter.usage
  }

  stop(reason: StopReason = 'abort'): void {
    if (this.#isStopping) return
    this.#measure()
    this.#isStopping = true
    if (isAnswered(reason)) this.#letGo()
    void this.#clear()
  }

  /** A guest that has answered waits for this, so that it could be measured while it was there. */
  #letGo(): void {
    this.#options.staged.remove()
    this.transport.close()
    void this.#tellAnswered()
  }

  /** What a guest wrote before its `done` has arrived: it is read in the next turns. Only `ended` waits for its exit. */
  async #tellAnswered(): Promise<void> {
    for (let seen = -1; seen !== this.#receivedBytes; ) {
      seen = this.#receivedBytes
      for (let turn = 0; turn < TURNS_TO_READ; turn += 1) await this.#nextTurn()
    }
    this.#tellGone({ type: 'exited', code: 0 })
  }

  #nextTurn(): Promise<void> {
    return new Promise((resolve) => this.#options.clock.afterTurn(resolve))
  }

  #tellGone(exit: GuestExit): void {
    this.#sink?.gone(exit)
    this.#sink = undefined
  }

  #listen(name: (typeof OUTPUTS)[number], sink: GuestSink): void {
    this.#process[name].on('data', (chunk: Uint8Array) => {
      this.#receivedBytes += chunk.length
      sink.stray(name, chunk)
    })
    // A process that has exited can be measured until it is waited for, which comes after its streams' end.
    this.#process[name].once('end', () => this.#measure())
  }

  /** What a guest costs after its run was decided is not the run's. */
  #measure(): void {
    if (!this.#isStopping) this.#meter.measure()
  }

  /** Runs once. */
  #clear(): Promise<void> {
    this.#meter.stop()
    this.#teardown ??= tearDown({
      ...this.#options,
      started: this.started,
      exited: this.#exited,
      graceMs: this.#options.limits.graceMs,
    })
    return this.#teardown
  }

  async #watchEnd(): Promise<void> {
    const { staged } = this.#options
    const exit = await this.#exited
    this.#measure()
    void this.#clear()
    await this.#drain()
    staged.remove()
    if ('signal' in exit && exit.signal === 'SIGXCPU') this.#sink?.budget(this.#meter.spentMessage)
    await this.#nextTurn()
    this.#release()
    this.#tellGone(toGuestExit(exit))
  }

  async #end(): Promise<void> {
    await this.#clear()
    await this.#gone
    this.#release()
    await withinMs(this.#closed, CLOSE_MS, this.#options.clock)
    this.#process.release()
  }

  #drain(): Promise<void> {
    return drain({
      closed: this.#closed,
      receivedBytes: () => this.#receivedBytes,
      mostMs: this.stopWithinMs,
      clock: this.#options.clock,
    })
  }

  /** Descendants that hold the streams write to nobody from here on. */
  #release(): void {
    this.transport.close()
    this.#process.stdout.destroy()
    this.#process.stderr.destroy()
  }
}

const toGuestExit = (exit: ProcessExit): GuestExit => {
  if ('startFailure' in exit) return { type: 'failed-to-start', message: `spawn error: ${exit.startFailure.message}` }
  if ('lost' in exit) return { type: 'crashed', message: exit.lost }
  if (exit.signal !== null) return { type: 'killed', signal: exit.signal }
  return { type: 'exited', code: exit.code ?? 0 }
}
