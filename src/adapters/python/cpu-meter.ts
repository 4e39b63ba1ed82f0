import { type GuestUsage, NOTHING_MEASURED } from '../../domain/exit.js'
import type { CancelTimer, Clock } from '../../ports/clock.js'
import type { ControlledProcess, ProcessControl } from '../../ports/process-control.js'

const SAMPLE_MS = 100
/** On a system of many processes a look takes long: then of the host's time it takes one part in so many. */
const SHARE = 20
const SELDOM_MS = 1_000

export interface CpuMeterOptions {
  readonly process: Pick<ControlledProcess, 'identity'>
  readonly cpuSeconds: number
  readonly clock: Clock
  readonly processControl: ProcessControl
}

/** What a guest and its descendants use, while they run. */
export class CpuMeter {
  readonly #options: CpuMeterOptions
  #usage: GuestUsage = NOTHING_MEASURED
  #cancel: CancelTimer = () => {}
  #bootMs = 0

  constructor(options: CpuMeterOptions) {
    this.#options = options
  }

  get usage(): GuestUsage {
    return this.#usage
  }

  get spentMessage(): string {
    return `CPU time exhausted: the program used more than ${this.#options.cpuSeconds} s (cpuSeconds)`
  }

  /** The run begins: what a prepared guest used before is not its. Samples until `stop`, or until the budget is spent. */
  start(onSpent: (message: string) => void): void {
    this.measure()
    this.#bootMs = this.#usage.cpuMs ?? 0
    this.#sampleAfter(SAMPLE_MS, onSpent)
  }

  #sampleAfter(delayMs: number, onSpent: (message: string) => void): void {
    const { clock, cpuSeconds } = this.#options
    this.#cancel = clock.after(delayMs, () => {
      const startedAtMs = clock.now()
      this.measure()
      if ((this.#usage.cpuMs ?? 0) > cpuSeconds * 1_000) return onSpent(this.spentMessage)
      this.#sampleAfter(Math.min(SELDOM_MS, Math.max(SAMPLE_MS, (clock.now() - startedAtMs) * SHARE)), onSpent)
    })
  }

  stop(): void {
    this.#cancel()
  }

  /** Keeps what was measured before where nothing can be any more. */
  measure(): void {
    const { cpuMs, peakMemoryBytes } = this.#look()
    const runMs = cpuMs === null ? null : cpuMs - this.#bootMs
    this.#usage = { cpuMs: runMs ?? this.#usage.cpuMs, peakMemoryBytes: peakMemoryBytes ?? this.#usage.peakMemoryBytes }
  }

  /** A control that throws crashes no host from a timer. */
  #look(): GuestUsage {
    const { process, processControl } = this.#options
    const { identity } = process
    try {
      return identity === undefined ? NOTHING_MEASURED : processControl.treeUsage(identity)
    } catch {
      return NOTHING_MEASURED
    }
  }
}
