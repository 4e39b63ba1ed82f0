import { setMaxListeners } from 'node:events'
import { InternalError } from '../domain/errors.js'
import { type GuestUsage, NOTHING_MEASURED } from '../domain/exit.js'
import type { RunEvent, RunResult } from '../domain/outcome.js'
import type { RequestSnapshot } from '../domain/request.js'
import type { RunEffect, RunInput, StopReason } from '../domain/run-events.js'
import { Settlement, type SettlementOptions } from '../domain/settlement.js'
import { thrownText } from '../domain/text.js'
import type { CancelTimer, Clock } from '../ports/clock.js'
import type { Guest } from '../ports/guest.js'

type SettledSoFar = { readonly promise: Promise<RunResult>; resolve(result: RunResult): void }

/** How long after its time a deadline's own timer may come before frames are asked to keep it. */
const FLOOD_MS = 100

export interface DriveOptions extends Omit<SettlementOptions, 'now'> {
  readonly clock: Clock
  readonly maxWallMs: number
  readonly onEvent: RequestSnapshot['onEvent']
}

/** Where promises, timers and streams meet: feeds what happens to the settlement and performs what it answers. */
export class Drive {
  readonly #options: DriveOptions
  readonly #settlement: Settlement
  readonly #inputs: RunInput[] = []
  readonly #settled = deferred()
  #guest: Guest | undefined
  /** What the run's bindings hear of its end by. Made with the first call. */
  #bindingsEnd: AbortController | undefined
  #cancelDeadline: CancelTimer = () => {}
  #isStepping = false
  #deadlineMs = Number.POSITIVE_INFINITY

  constructor(options: DriveOptions) {
    this.#options = options
    this.#settlement = new Settlement({ ...options, now: () => options.clock.now() })
  }

  get result(): Promise<RunResult> {
    return this.#settled.promise
  }

  get isDecided(): boolean {
    return this.#settlement.isDecided
  }

  /** Ends the run without a guest, or with the one that it has. The first decision wins. */
  end(kind: 'abort' | 'exception' | 'worker-exit' | 'timeout', message: string): void {
    this.#feed({ type: 'ended', kind, message })
  }

  /** When nothing is left of the run's guest. Never rejects. */
  get ended(): Promise<unknown> {
    return this.result.then(() => this.#guest?.ended)
  }

  /** The run waits for its turn. */
  accept(): void {
    this.#feed({ type: 'accepted' })
  }

  /** The run's wall time begins. */
  begin(): void {
    if (this.isDecided) return
    const { clock, maxWallMs } = this.#options
    this.#deadlineMs = clock.now() + maxWallMs
    this.#cancelDeadline = clock.after(maxWallMs, () => this.#endBudget(this.#overdueText()))
    this.#feed({ type: 'begun' })
  }

  /** Gives the run its guest and the text that it executes, unless something ended it before. */
  launch(program: string, launch: () => Guest): void {
    if (this.isDecided) return
    try {
      this.#guest = launch()
    } catch (error) {
      return this.end('worker-exit', `the guest failed to start: ${thrownText(error)}`)
    }
    if (this.isDecided) this.#stopGuest('abort')
    else this.#start(this.#guest, program)
  }

  /** What a guest does while it starts is taken after its launch. */
  #start(guest: Guest, program: string): void {
    this.#isStepping = true
    this.#inputs.push({ type: 'launched', program })
    try {
      this.#attach(guest)
    } catch (error) {
      this.end('worker-exit', `the guest failed to start: ${thrownText(error)}`)
    }
    this.#isStepping = false
    this.#takeInputs()
  }

  /** A flood of frames keeps timers waiting. */
  #endIfOverdue(): void {
    if (this.#options.clock.now() > this.#deadlineMs + FLOOD_MS) this.end('timeout', this.#overdueText())
  }

  #overdueText(): string {
    return `the run took longer than ${this.#options.maxWallMs} ms of wall time (maxWallMs)`
  }

  /** What had arrived when a budget ended counts, also when the host was too busy to look at it. */
  #endBudget(message: string): void {
    this.#options.clock.afterTurn(() => this.end('timeout', message))
  }

  #attach(guest: Guest): void {
    guest.start({
      frame: (text, bytes) => {
        this.#endIfOverdue()
        this.#feed({ type: 'frame', text, bytes })
      },
      stray: (stream, chunk) => this.#feed({ type: 'stray', stream, chunk }),
      overflow: (capBytes) => this.end('worker-exit', `a frame of the guest exceeded ${capBytes} bytes`),
      budget: (message) => this.#endBudget(message),
      broken: (message) => this.end('worker-exit', message),
      gone: (exit) => this.#feed({ type: 'gone', exit, usage: usageOf(guest) }),
    })
  }

  /** Inputs that effects cause while they are performed are taken after them, in order. */
  #feed(input: RunInput): void {
    this.#inputs.push(input)
    if (!this.#isStepping) this.#takeInputs()
  }

  #takeInputs(): void {
    this.#isStepping = true
    try {
      for (let next = this.#inputs.shift(); next !== undefined; next = this.#inputs.shift()) {
        for (const effect of this.#step(next)) this.#perform(effect)
      }
    } finally {
      this.#isStepping = false
    }
  }

  /** A rule that throws is a bug of ours: the run ends, and the host goes on. */
  #step(input: RunInput): readonly RunEffect[] {
    try {
      return this.#settlement.step(input)
    } catch (error) {
      this.end('worker-exit', new InternalError(thrownText(error)).message)
      return []
    }
  }

  #perform(effect: RunEffect): void {
    switch (effect.type) {
      case 'send':
        return this.#send(effect.text)
      case 'call':
        return this.#call(effect)
      case 'await-turn':
        return this.#options.clock.afterTurn(() => this.#feed({ type: 'turn-end' }))
      case 'stop':
        return this.#stop(effect.reason)
      case 'emit':
        return this.#emit(effect.event)
      case 'finish':
        return this.#finish(effect.result)
    }
  }

  #send(text: string): void {
    const sent = (failure?: unknown): void =>
      this.#feed(failure === undefined ? { type: 'sent' } : { type: 'send-failed', message: thrownText(failure) })
    try {
      this.#guest?.transport.send(text, sent)
    } catch (error) {
      sent(error)
    }
  }

  #call({ id, invoke }: Extract<RunEffect, { type: 'call' }>): void {
    this.#bindingsEnd ??= newBindingsEnd()
    settle(invoke, this.#bindingsEnd.signal).then(
      (value) => this.#feed({ type: 'answered', id, answer: { ok: true, value } }),
      (thrown: unknown) => this.#feed({ type: 'answered', id, answer: { ok: false, thrown } }),
    )
  }

  #stop(reason: StopReason): void {
    const guest = this.#guest
    this.#cancelDeadline()
    this.#bindingsEnd?.abort()
    if (guest === undefined) return
    this.#cancelDeadline = this.#options.clock.after(guest.stopWithinMs, () =>
      this.#feed({ type: 'stop-overdue', usage: usageOf(guest) }),
    )
    this.#stopGuest(reason)
  }

  /** A guest that throws here is overdue in time. */
  #stopGuest(reason: StopReason): void {
    try {
      this.#guest?.stop(reason)
    } catch {}
  }

  #emit(event: RunEvent): void {
    const { onEvent } = this.#options
    if (onEvent === undefined) return
    settle(() => onEvent(event)).catch(() => {})
  }

  #finish(result: RunResult): void {
    this.#cancelDeadline()
    this.#bindingsEnd?.abort()
    this.#settled.resolve(result)
  }
}

const newBindingsEnd = (): AbortController => {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}

/** Calls at once, and turns whatever it does into a promise. */
const settle = async (run: (context: { signal: AbortSignal }) => unknown, signal?: AbortSignal): Promise<unknown> =>
  run({ signal: signal as AbortSignal })

const usageOf = (guest: Guest): GuestUsage => {
  try {
    return guest.usage()
  } catch {
    return NOTHING_MEASURED
  }
}

const deferred = (): SettledSoFar => {
  let resolve!: (result: RunResult) => void
  const promise = new Promise<RunResult>((settleWith) => {
    resolve = settleWith
  })
  return { promise, resolve }
}
