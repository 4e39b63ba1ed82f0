import type { Launcher, LaunchOptions, PreparedProgram } from '../ports/launcher.js'
import { FakeGuest } from './fake-guest.js'
import { itemAt } from './item-at.js'

/** What a fake guest does with the program that it was given. */
export type GuestScript = (guest: FakeGuest) => void | Promise<void>

export interface FakeLabels {
  /** By default 'typescript'. */
  readonly language?: string
  /** By default 'fake'. */
  readonly isolation?: string
}

/** A backend without workers or processes. Each run gets a FakeGuest; the script, if any, plays it. */
export class FakeLauncher implements Launcher {
  readonly language: string
  readonly isolation: string
  readonly guests: FakeGuest[] = []
  readonly programs: string[] = []
  /** Set it to refuse programs as text that does not parse. */
  syntaxError: string | undefined
  /** Set it to make every launch fail. */
  launchFailure: Error | undefined
  isDisposed = false
  readonly #script: GuestScript | undefined

  constructor(script?: GuestScript, { language = 'typescript', isolation = 'fake' }: FakeLabels = {}) {
    this.#script = script
    this.language = language
    this.isolation = isolation
  }

  async prepare(program: string): Promise<PreparedProgram> {
    this.programs.push(program)
    return this.syntaxError === undefined ? { ok: true, program } : { ok: false, message: this.syntaxError }
  }

  launch(_options: LaunchOptions): FakeGuest {
    if (this.launchFailure !== undefined) throw this.launchFailure
    const guest = new FakeGuest()
    this.guests.push(guest)
    void this.#script?.(guest)
    return guest
  }

  async dispose(): Promise<void> {
    this.isDisposed = true
    for (const guest of this.guests) guest.exit({ type: 'exited', code: 0 })
  }

  /** A guest by its place in the order of launches, as soon as it is there; by default the next one. */
  nextGuest(index = this.guests.length): Promise<FakeGuest> {
    return itemAt(this.guests, index)
  }
}

/** A script for a guest that answers at once: acknowledges, prints what it is given, and is done. */
export const answering =
  (outcome: { readonly value?: unknown; readonly logs?: readonly string[] }): GuestScript =>
  async ({ transport }) => {
    await transport.sentFrame('boot')
    transport.receive({ type: 'boot-ack' })
    await transport.sentFrame('run')
    for (const text of outcome.logs ?? []) transport.receive({ type: 'log', text })
    transport.receive({ type: 'done', ...('value' in outcome ? { value: outcome.value } : {}) })
  }
