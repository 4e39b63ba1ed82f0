import type {
  ControlledProcess,
  ForkServerCommand,
  ForkServerStart,
  ProcessCommand,
  ProcessExit,
  ProcessIdentity,
} from '../../../ports/process-control.js'
import { type ForkAnswer, parseAnswer } from './answer.js'
import { Patience } from './patience.js'

const ANSWER_BYTES = 1_048_576
/** Imports of large modules take long. */
const READY_MS = 60_000
/** An order is obeyed at once: a server that takes so long was stopped, or hangs. */
const ANSWER_MS = 5_000
const END_MS = 1_000
const OUTPUT_CHARACTERS = 2_000

/** What a fork server needs of the system that it lives in. */
export interface ForkSystem {
  spawn(command: ProcessCommand): ControlledProcess
  /** A process of that pid was just started, and is held. */
  identify(pid: number, mark: string): ProcessIdentity
  /** With its group. */
  kill(identity: ProcessIdentity): void
  isAlive(identity: ProcessIdentity): boolean
  /** Kills what others left behind. */
  endDescendants(identity: ProcessIdentity): Promise<void>
}

export type ForkOrder =
  | { readonly type: 'fork'; readonly id: number; readonly nonce: string; readonly mark: string }
  | { readonly type: 'kill'; readonly id: number; readonly signal: 'SIGTERM' | 'SIGKILL' }
  | { readonly type: 'reap'; readonly id: number }

/** The process of a fork server: its orders, its answers, its end. */
export class ServerProcess {
  readonly ready: Promise<ForkServerStart>
  /** Resolves with the reason when it is dead; what it still said has been heard. */
  readonly died: Promise<string>
  readonly #system: ForkSystem
  readonly #process: ControlledProcess
  readonly #heard: (answer: ForkAnswer) => void
  readonly #patience = new Patience(ANSWER_MS, () => this.kill())
  readonly #exited: Promise<ProcessExit>
  #started!: (start: ForkServerStart) => void
  #isDead = false
  /** Why it never became ready. */
  #failure: string | undefined
  #output = ''

  constructor(command: ForkServerCommand, system: ForkSystem, heard: (answer: ForkAnswer) => void) {
    this.#system = system
    this.#heard = heard
    this.#process = system.spawn({ ...command, frameCapBytes: ANSWER_BYTES })
    this.ready = new Promise((resolve) => {
      this.#started = resolve
    })
    this.#exited = new Promise((resolve) => this.#process.onExit(resolve))
    this.died = this.#awaitDeath()
    this.#listen()
  }

  get identity(): ProcessIdentity | undefined {
    return this.#process.identity
  }

  ref(): void {
    this.#process.ref()
  }

  unref(): void {
    this.#process.unref()
  }

  /** Resolves when it is ready, or will never be. */
  async start({ socketPath, preload }: ForkServerCommand): Promise<void> {
    const deadline = setTimeout(() => this.giveUp(`it was not ready within ${READY_MS / 1_000} s`), READY_MS)
    this.#send({ type: 'start', socket: socketPath, preload })
    await this.ready
    clearTimeout(deadline)
  }

  order(order: ForkOrder): void {
    this.#patience.asked()
    this.#send(order)
  }

  /** It will never be ready. */
  giveUp(message: string): void {
    this.#fail(message)
    this.kill()
  }

  kill(): void {
    if (this.identity !== undefined && !this.#isDead) this.#system.kill(this.identity)
  }

  /** Hangs up, upon which it kills its forks and leaves. */
  async end(): Promise<void> {
    this.#process.channel.close()
    const deadline = setTimeout(() => this.kill(), END_MS)
    await this.died
    clearTimeout(deadline)
  }

  /** Once it is dead: ends what a module had started in it, and resolves when its streams are closed. */
  async clear(): Promise<void> {
    const { channel, stdout, stderr } = this.#process
    if (this.identity !== undefined) await this.#system.endDescendants(this.identity)
    for (const stream of [stdout, stderr]) stream.destroy()
    channel.close()
    if (!('startFailure' in (await this.#exited))) await new Promise<void>((resolve) => this.#process.onClose(resolve))
  }

  #listen(): void {
    const { channel, stdout, stderr } = this.#process
    stdout.resume()
    stderr.on('data', (chunk: Buffer) => {
      this.#output = `${this.#output}${chunk.toString('utf8')}`.slice(-OUTPUT_CHARACTERS)
    })
    channel.open({
      frame: (text) => {
        const answer = parseAnswer(text)
        if (answer !== undefined) this.#take(answer)
      },
      overflow: () => this.kill(),
    })
  }

  #take(answer: ForkAnswer): void {
    if (answer.type === 'ready') this.#started({ ok: true })
    else if (answer.type === 'failed') this.#fail(answer.message, answer.module)
    else if (answer.type !== 'exited') this.#patience.answered()
    this.#heard(answer)
  }

  #fail(message: string, module?: string): void {
    this.#failure ??= message
    this.#started({ ok: false, message, ...(module === undefined ? {} : { module }) })
  }

  #send(message: object): void {
    this.#process.channel.send(JSON.stringify(message), () => {})
  }

  async #awaitDeath(): Promise<string> {
    const exit = await this.#exited
    // What it still said is read in this turn.
    await new Promise((resolve) => setImmediate(resolve))
    this.#isDead = true
    this.#patience.end()
    const death = this.#failure ?? `the fork server ${describe(exit)}`
    this.#fail(`${death} before it was ready${this.#output && `: ${this.#output}`}`)
    return death
  }
}

const describe = (exit: ProcessExit): string => {
  if ('startFailure' in exit) return `could not be started: ${exit.startFailure.message}`
  if ('lost' in exit) return `was lost: ${exit.lost}`
  return exit.signal === null ? `exited with code ${exit.code}` : `was killed by ${exit.signal}`
}
