import { tmpdir } from 'node:os'
import type { GuestExit, GuestUsage } from '../../domain/exit.js'
import { type ResolvedLimits, STOP_MARGIN_MS } from '../../domain/limits.js'
import type { CancelTimer, Clock } from '../../ports/clock.js'
import type { Guest, GuestSink } from '../../ports/guest.js'
import type { ControlledProcess, ProcessControl, ProcessExit, ProcessIdentity } from '../../ports/process-control.js'
import type { StagedFile } from './staging.js'

const SAMPLE_MS = 100
/** How long a guest that has exited may keep others waiting on pipes that its descendants hold. */
const DRAIN_MS = 100

export interface PythonGuestOptions {
  readonly interpreter: string
  readonly cwd: string
  readonly staged: StagedFile
  readonly limits: ResolvedLimits
  readonly frameCapBytes: number
  readonly clock: Clock
  readonly processControl: ProcessControl
}

/** One CPython process: started when it is made, used for one run at most. */
export class PythonGuest implements Guest {
  readonly stopWithinMs: number
  /** Resolves when the process and everything that it left behind is gone. */
  readonly cleared: Promise<void>
  readonly #options: PythonGuestOptions
  readonly #process: ControlledProcess
  readonly #exited: Promise<ProcessExit>
  readonly #closed: Promise<void>
  #usage: GuestUsage = { cpuMs: null, peakMemoryBytes: null }
  #cancelSample: CancelTimer = () => {}
  #isStopping = false
  #received = 0
  #teardown: Promise<void> | undefined

  constructor(options: PythonGuestOptions) {
    this.#options = options
    this.stopWithinMs = options.limits.graceMs + STOP_MARGIN_MS
    this.#process = options.processControl.spawn({
      file: options.interpreter,
      args: ['-I', '-B', '-u', options.staged.path],
      env: guestEnv(),
      cwd: options.cwd,
      frameCapBytes: options.frameCapBytes,
    })
    this.#exited = new Promise((resolve) => this.#process.onExit(resolve))
    this.#closed = new Promise((resolve) => this.#process.onClose(resolve))
    this.cleared = this.#exited.then(() => this.#clear())
  }

  get identity(): ProcessIdentity | undefined {
    return this.#process.identity
  }

  get transport() {
    return this.#process.channel
  }

  start(sink: GuestSink): void {
    this.transport.open({
      frame: (text, bytes) => {
        this.#received += 1
        sink.frame(text, bytes)
      },
      overflow: (capBytes) => sink.overflow(capBytes),
    })
    for (const name of ['stdout', 'stderr'] as const) {
      this.#process[name].on('data', (chunk: Uint8Array) => {
        this.#received += 1
        sink.stray(name, chunk)
      })
    }
    this.#sampleCpu(sink)
    void this.#watchEnd(sink)
  }

  usage(): GuestUsage {
    return this.#usage
  }

  stop(): void {
    if (this.#isStopping) return
    this.#isStopping = true
    this.#measure()
    void this.#clear()
  }

  /** Ends the group and whatever left it: SIGTERM, and after the grace SIGKILL. Runs once. */
  #clear(): Promise<void> {
    this.#teardown ??= this.#tearDown()
    return this.#teardown
  }

  async #tearDown(): Promise<void> {
    const { processControl, clock, limits, staged } = this.#options
    const { identity } = this.#process
    this.#cancelSample()
    if (identity !== undefined) {
      processControl.signalGroup(identity, 'SIGTERM')
      const hasExited = await withinMs(this.#exited, limits.graceMs, clock)
      if (!hasExited) processControl.signalGroup(identity, 'SIGKILL')
      await this.#exited
      await processControl.endDescendants(identity)
    }
    staged.remove()
  }

  async #watchEnd(sink: GuestSink): Promise<void> {
    const { clock } = this.#options
    const exit = await this.#exited
    if (!this.#isStopping) this.#measure()
    void this.#clear()
    await this.#drain()
    this.#options.staged.remove()
    if ('signal' in exit && exit.signal === 'SIGXCPU') sink.budget(this.#cpuMessage())
    clock.afterTurn(() => {
      this.transport.close()
      sink.gone(toGuestExit(exit))
    })
  }

  /** What the guest wrote before it exited counts, however late the host comes to read it. */
  async #drain(): Promise<void> {
    const { clock } = this.#options
    const untilMs = clock.now() + this.stopWithinMs
    for (let seen = -1; seen !== this.#received && clock.now() < untilMs; ) {
      seen = this.#received
      if (await withinMs(this.#closed, DRAIN_MS, clock)) return
      await new Promise<void>((resolve) => clock.afterTurn(resolve))
    }
  }

  #sampleCpu(sink: GuestSink): void {
    const { clock, limits } = this.#options
    this.#cancelSample = clock.after(SAMPLE_MS, () => {
      this.#measure()
      if ((this.#usage.cpuMs ?? 0) > limits.cpuSeconds * 1_000) return sink.budget(this.#cpuMessage())
      this.#sampleCpu(sink)
    })
  }

  #measure(): void {
    const { identity } = this.#process
    if (identity === undefined) return
    const usage = this.#options.processControl.treeUsage(identity)
    if (usage.cpuMs === null) return
    this.#usage = { ...usage, peakMemoryBytes: usage.peakMemoryBytes ?? this.#usage.peakMemoryBytes }
  }

  #cpuMessage(): string {
    return `CPU time exhausted: the program used more than ${this.#options.limits.cpuSeconds} s (cpuSeconds)`
  }
}

// Nothing of the host's environment but its temp root; the rest makes output UTF-8 and libraries well behaved.
const guestEnv = (): Record<string, string> => ({
  TMPDIR: tmpdir(),
  LC_ALL: 'C.UTF-8',
  PYTHONIOENCODING: 'utf-8',
  MPLBACKEND: 'Agg',
  OPENBLAS_NUM_THREADS: '1',
})

const toGuestExit = (exit: ProcessExit): GuestExit => {
  if ('startFailure' in exit) return { type: 'failed-to-start', message: `spawn error: ${exit.startFailure.message}` }
  if (exit.signal !== null) return { type: 'killed', signal: exit.signal }
  return { type: 'exited', code: exit.code ?? 0 }
}

/** Whether a promise settles in time. */
const withinMs = (promise: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> =>
  new Promise((resolve) => {
    const cancel = clock.after(ms, () => resolve(false))
    void promise.then(() => {
      cancel()
      resolve(true)
    })
  })
