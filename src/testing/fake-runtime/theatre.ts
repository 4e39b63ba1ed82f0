import { nodeJsonEngine } from '../../adapters/json-engine.js'
import { MisuseError } from '../../domain/errors.js'
import { createJsonCodec } from '../../domain/json/codec.js'
import { showValue } from '../../domain/show.js'
import type { FakeGuest } from '../fake-guest.js'
import type { ManualClock } from '../manual-clock.js'
import { FakeRun, type FakeScript } from './fake-run.js'
import { type FakeOutcome, isFor, requireOutcome, scriptOf } from './outcome.js'

/** Which program is played how. */
export class Theatre {
  readonly #clock: ManualClock
  readonly #codec = createJsonCodec(nodeJsonEngine)
  readonly #outcomes: { readonly outcome: FakeOutcome; timesLeft: number }[] = []
  /** The scripts of requests whose guests have not got their program yet, by program. */
  readonly #waiting = new Map<string, FakeScript[]>()

  constructor(outcomes: readonly FakeOutcome[], clock: ManualClock) {
    this.#clock = clock
    for (const outcome of outcomes.toReversed()) this.prepend(outcome)
  }

  prepend(outcome: FakeOutcome): void {
    const { times = Number.POSITIVE_INFINITY } = requireOutcome(outcome)
    this.#outcomes.unshift({ outcome, timesLeft: times })
  }

  /** Takes the script for one run of a program. Returns what forgets it, in case that the run never came to it. */
  book(program: string): () => void {
    const found = this.#outcomes.find(({ outcome, timesLeft }) => timesLeft > 0 && isFor(outcome, program))
    if (found === undefined) throw new MisuseError(`no outcome is scripted for the program ${showValue(program)}`)
    found.timesLeft -= 1
    const script = scriptOf(found.outcome)
    const queue = this.#waiting.get(program) ?? []
    this.#waiting.set(program, [...queue, script])
    return () => this.#forget(program, script)
  }

  async play(guest: FakeGuest): Promise<void> {
    const { transport } = guest
    const boot = await transport.sentFrame('boot')
    transport.receive({ type: 'boot-ack' })
    const { program } = await transport.sentFrame('run')
    const [script] = this.#waiting.get(program) ?? []
    if (script === undefined) return
    this.#forget(program, script)
    await new FakeRun({ program, boot, guest, clock: this.#clock, codec: this.#codec }).play(script)
  }

  #forget(program: string, script: FakeScript): void {
    const left = (this.#waiting.get(program) ?? []).filter((waiting) => waiting !== script)
    if (left.length > 0) this.#waiting.set(program, left)
    else this.#waiting.delete(program)
  }
}
