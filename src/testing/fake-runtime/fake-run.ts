import { completionFrame, failureFrame } from '../../domain/completion-frame.js'
import type { BootFrame } from '../../domain/frame.js'
import type { JsonCodec } from '../../domain/json/codec.js'
import type { FailureKind, OutputStream } from '../../domain/outcome.js'
import { thrownText } from '../../domain/text.js'
import type { FakeGuest } from '../fake-guest.js'
import type { ManualClock } from '../manual-clock.js'
import { GuestCalls } from './guest-calls.js'

// biome-ignore lint/suspicious/noExplicitAny: the app knows its bindings
type Any = any
type FakeFunction = (args?: unknown) => Promise<Any>

/** Plays a program: what it returns is the completion, what it throws an `exception`. */
export type FakeScript = (run: FakeRun) => unknown

/** A failure that the guest can cause; an `abort` comes from the app alone. */
export interface FakeFailure {
  readonly kind: Exclude<FailureKind, 'abort'>
  readonly message: string
}

export interface PrintOptions {
  /** By default 'stdout'. */
  readonly stream?: OutputStream
  /** The line is not ended: the next text of its stream continues it. */
  readonly open?: boolean
}

export interface FakeRunOptions {
  readonly program: string
  readonly boot: BootFrame
  readonly guest: FakeGuest
  readonly clock: ManualClock
  readonly codec: JsonCodec
}

/** A run as the script that plays its program sees it. Its functions can be taken out of it. */
export class FakeRun {
  readonly program: string
  /** The app's bindings, as the program has them: `run.globals.tools.weather({ city: 'Oslo' })`. */
  readonly globals: Readonly<Record<string, Any>>
  /** The guest itself, for what a well-behaved program does not do: raw frames, output, death. */
  readonly guest: FakeGuest
  /** The clock of the runtime; by `advance()` time passes during the run. */
  readonly clock: ManualClock
  readonly #codec: JsonCodec
  readonly #calls: GuestCalls
  readonly #maxValueBytes: number

  constructor({ program, boot, guest, clock, codec }: FakeRunOptions) {
    this.program = program
    this.guest = guest
    this.clock = clock
    this.#codec = codec
    this.#calls = new GuestCalls(guest.transport, codec, boot.namespaces)
    this.#maxValueBytes = boot.maxValueBytes
    this.globals = record(boot.namespaces.map(({ global, names }) => [global, this.#functions(global, names)]))
  }

  /** A call of any member, a declared one or not. Settles as the host answers. */
  readonly call = (global: string, name: string, args?: unknown): ReturnType<FakeFunction> =>
    this.#calls.call(global, name, args)

  /** Prints a line. */
  readonly print = (text: string, { stream = 'stdout', open = false }: PrintOptions = {}): void => {
    this.guest.transport.receive({ type: 'log', text, stream, ...(open ? { open } : {}) })
  }

  /** Ends the run as failed. What the script does afterwards changes nothing. */
  readonly fail = ({ kind, message }: FakeFailure): Promise<never> => {
    if (kind === 'timeout') this.guest.spendBudget(message)
    else if (kind === 'worker-exit') this.guest.breakDown(message)
    else this.guest.transport.receive({ type: 'done', error: { kind, message } })
    return new Promise(() => {})
  }

  /** Lets a script play the program to its end. Never rejects. */
  async play(script: FakeScript): Promise<void> {
    this.guest.transport.receiveText(await this.#completion(script))
  }

  async #completion(script: FakeScript): Promise<string> {
    const maxBytes = this.#maxValueBytes
    try {
      return completionFrame(await script(this), { codec: this.#codec, maxBytes, hint: () => '' })
    } catch (thrown) {
      return failureFrame(describeThrown(thrown), maxBytes)
    }
  }

  #functions(global: string, names: readonly string[]): Readonly<Record<string, FakeFunction>> {
    return record(names.map((name) => [name, (args) => this.call(global, name, args)]))
  }
}

/** Without a prototype: names are data. */
const record = <Value>(entries: readonly (readonly [string, Value])[]): Readonly<Record<string, Value>> =>
  Object.assign(Object.create(null), Object.fromEntries(entries))

const describeThrown = (thrown: unknown): string =>
  thrown instanceof Error ? `${thrown.name}: ${thrownText(thrown)}` : thrownText(thrown)
