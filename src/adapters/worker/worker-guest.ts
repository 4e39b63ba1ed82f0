import { Worker } from 'node:worker_threads'
import { type GuestExit, type GuestUsage, NOTHING_MEASURED } from '../../domain/exit.js'
import { type ResolvedLimits, STOP_MARGIN_MS } from '../../domain/limits.js'
import { isAnswered, type StopReason } from '../../domain/run-events.js'
import { thrownText } from '../../domain/text.js'
import { MIB } from '../../domain/units.js'
import type { CancelTimer, Clock } from '../../ports/clock.js'
import type { Guest, GuestSink } from '../../ports/guest.js'
import { BusyMeter, SAMPLE_MS } from './busy-meter.js'
import { newControlBlock, threadIdOf } from './control-block.js'
import { type MemoryWatch, v8LimitMb, type WatchedRun, watchLimitMb } from './memory-watch.js'
import { PortTransport } from './port-transport.js'
import { threadCpuMs } from './thread-stats.js'

export interface WorkerGuestOptions {
  readonly entry: string
  readonly clock: Clock
  readonly memoryWatch: MemoryWatch
  readonly limits: ResolvedLimits
  readonly frameCapBytes: number
  readonly onGone: () => void
}

/** One worker thread: booted when it is made, used for one run at most. */
export class WorkerGuest implements Guest {
  readonly stopWithinMs = STOP_MARGIN_MS
  readonly transport: PortTransport
  readonly ended: Promise<GuestExit>
  readonly #options: WorkerGuestOptions
  readonly #worker: Worker
  readonly #watched: WatchedRun
  #crash: string | undefined
  #sink: GuestSink | undefined
  #isStopped = false
  #finalUsage: GuestUsage | undefined
  #cancelSample: CancelTimer = () => {}
  #bootCpuMs = 0
  #sampledAtMs: number | undefined

  constructor(options: WorkerGuestOptions) {
    const control = newControlBlock()
    this.#options = options
    this.#worker = newWorker(options, control)
    containInternalMessages(this.#worker)
    this.#watched = { threadId: () => threadIdOf(control), capMb: watchLimitMb(options.limits.maxHeapMb) }
    this.transport = new PortTransport(this.#worker, control, options.frameCapBytes)
    this.#worker.on('error', (error: unknown) => this.#noteCrash(error))
    this.ended = this.#whenGone()
  }

  /** A prepared guest never keeps the host's process alive; one with a run does. */
  unref(): void {
    this.#worker.unref()
  }

  start(sink: GuestSink): void {
    this.#sink = sink
    this.#worker.ref()
    const meter = new BusyMeter(this.#worker)
    this.transport.open({
      frame: (text, bytes) => this.#takeFrame({ text, bytes }, sink, meter),
      overflow: (capBytes) => sink.overflow(capBytes),
    })
    // After the first frame was sent: the worker takes it meanwhile.
    queueMicrotask(() => {
      this.#bootCpuMs = threadCpuMs(this.#watched.threadId()) ?? 0
    })
    void this.ended.then((exit) => this.#tellGone(exit))
  }

  usage(): GuestUsage {
    if (this.#finalUsage !== undefined) return this.#finalUsage
    const cpuMs = threadCpuMs(this.#watched.threadId())
    return { ...NOTHING_MEASURED, cpuMs: cpuMs === null ? null : cpuMs - this.#bootCpuMs }
  }

  /**
   * A thread takes milliseconds to end. After its `done` nothing of it counts any more and its program does not go on:
   * the run does not wait for that, the launcher's `dispose()` does.
   */
  stop(reason: StopReason = 'abort'): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#finalUsage = this.usage()
    this.#end()
    void this.#worker.terminate()
    if (isAnswered(reason)) this.#tellGone({ type: 'exited', code: 0 })
  }

  /** The acknowledgement comes before the program: it begins what watches the program, while that is on its way. */
  #takeFrame({ text, bytes }: { text: string; bytes: number }, sink: GuestSink, meter: BusyMeter): void {
    if (this.#sampledAtMs !== undefined) this.#sampleIfDue(this.#sampledAtMs, sink, meter)
    sink.frame(text, bytes)
    if (this.#sampledAtMs === undefined && !this.#isStopped) this.#beginSampling(sink, meter)
  }

  #beginSampling(sink: GuestSink, meter: BusyMeter): void {
    this.#sampledAtMs = this.#options.clock.now()
    this.#options.memoryWatch.begin(this.#watched)
    this.#sampleEvery(sink, meter)
  }

  #tellGone(exit: GuestExit): void {
    this.#sink?.gone(exit)
    this.#sink = undefined
  }

  #sampleEvery(sink: GuestSink, meter: BusyMeter): void {
    this.#cancelSample = this.#options.clock.after(SAMPLE_MS, () => {
      this.#sample(sink, meter)
      if (!this.#isStopped) this.#sampleEvery(sink, meter)
    })
  }

  /** A flood of frames keeps timers waiting. */
  #sampleIfDue(sampledAtMs: number, sink: GuestSink, meter: BusyMeter): void {
    if (this.#options.clock.now() - sampledAtMs >= SAMPLE_MS) this.#sample(sink, meter)
  }

  #sample(sink: GuestSink, meter: BusyMeter): void {
    const { clock, limits, memoryWatch } = this.#options
    this.#sampledAtMs = clock.now()
    if (meter.busyMs > limits.computeMs) {
      sink.budget(`the program was busy for more than ${limits.computeMs} ms of compute time (computeMs)`)
    } else if (memoryWatch.addedBytes(this.#watched) > this.#watched.capMb * MIB) sink.broken(this.#outOfMemory())
  }

  #outOfMemory(): string {
    return `the program ran out of memory: more than ${this.#options.limits.maxHeapMb} MB of heap (maxHeapMb)`
  }

  #noteCrash(error: unknown): void {
    const isOutOfMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    this.#crash ??= isOutOfMemory ? this.#outOfMemory() : thrownText(error)
  }

  async #whenGone(): Promise<GuestExit> {
    const streams = [this.#worker.stdout, this.#worker.stderr]
    const ended = streams.map((stream) => new Promise((resolve) => stream.once('end', resolve)))
    const code = await new Promise<number>((resolve) => this.#worker.once('exit', resolve))
    // A stream that nobody reads never ends.
    for (const stream of streams) stream.resume()
    await Promise.all(ended)
    this.#end()
    this.#options.onGone()
    return this.#crash === undefined ? { type: 'exited', code } : { type: 'crashed', message: this.#crash }
  }

  #end(): void {
    this.#cancelSample()
    this.#options.memoryWatch.end(this.#watched)
    this.transport.close()
  }
}

const newWorker = ({ entry, limits }: WorkerGuestOptions, control: Int32Array): Worker =>
  new Worker(entry, {
    env: coverageEnv(),
    argv: [],
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    workerData: control,
    resourceLimits: { maxOldGenerationSizeMb: v8LimitMb(limits.maxHeapMb) },
  })

// V8 writes a worker's coverage only when it is told so by the worker's own environment; the guest's entry removes it.
const coverageEnv = (): Record<string, string> => {
  const directory = process.env['NODE_V8_COVERAGE']
  return directory === undefined ? {} : { NODE_V8_COVERAGE: directory }
}

// Node fails an assertion in the host at an internal message that it does not know, should a program come by the port.
const containInternalMessages = (worker: Worker): void => {
  const onMessage = Object.getOwnPropertySymbols(Worker.prototype).find(
    ({ description }) => description === 'kOnMessage',
  )
  const original: unknown = onMessage && Reflect.get(worker, onMessage)
  if (onMessage === undefined || typeof original !== 'function') return
  Object.defineProperty(worker, onMessage, {
    value: (message: unknown) => {
      try {
        Reflect.apply(original, worker, [message])
      } catch {
        void worker.terminate()
      }
    },
  })
}
