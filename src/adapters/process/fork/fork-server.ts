import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { thrownText } from '../../../domain/text.js'
import type {
  ControlledProcess,
  ForkServer,
  ForkServerCommand,
  ForkServerStart,
  ProcessCommand,
  ProcessExit,
  ProcessIdentity,
} from '../../../ports/process-control.js'
import { newMark } from '../run-mark.js'
import { type ForkAnswer, parseAnswer } from './answer.js'
import { Door } from './door.js'
import { ForkedProcess } from './forked-process.js'
import { Patience } from './patience.js'

const ANSWER_BYTES = 1_048_576
/** Imports of large modules take long. */
const READY_MS = 60_000
/** An order is obeyed at once: a server that takes so long was stopped, or hangs. */
const ANSWER_MS = 5_000
const END_MS = 1_000
/** A fork whose server has died is killed; so long its death is waited for. */
const LOST_MS = 2_000
const LOST_ROUND_MS = 5
const OUTPUT_CHARACTERS = 2_000

/** What a fork server needs of the system that it lives in. */
export interface ForkSystem {
  spawn(command: ProcessCommand): ControlledProcess
  /** A process of that pid was just started, and is held. */
  identify(pid: number, mark: string): ProcessIdentity
  /** With its group. */
  kill(identity: ProcessIdentity): void
  /** Kills what others left behind. */
  endDescendants(identity: ProcessIdentity): Promise<void>
  isAlive(identity: ProcessIdentity): boolean
}

interface Fork {
  readonly id: number
  readonly nonce: string
  readonly mark: string
  readonly process: ForkedProcess
}

/** A server process, by its orders and answers on its channel. */
export class NodeForkServer implements ForkServer {
  readonly ready: Promise<ForkServerStart>
  readonly gone: Promise<void>
  readonly #system: ForkSystem
  readonly #process: ControlledProcess
  readonly #door: Door
  readonly #forks = new Map<number, Fork>()
  readonly #byIdentity = new WeakMap<ProcessIdentity, Fork>()
  /** Forks that were not asked for yet: the memory of a fork must not hold the nonce of another one. */
  readonly #waiting: Fork[] = []
  /** Who needs the host's process to stay alive. */
  readonly #holders = new Set<unknown>()
  #isRef = true
  readonly #patience = new Patience(ANSWER_MS, () => this.#kill())
  readonly #begun: Promise<void>
  #asked: Fork | undefined
  #isReady = false
  /** Why it never became ready. */
  #failure: string | undefined
  #death: string | undefined
  #lastId = 0
  #output = ''
  #started!: (start: ForkServerStart) => void

  constructor(command: ForkServerCommand, system: ForkSystem) {
    this.#system = system
    this.#door = new Door(command.socketPath)
    this.#process = system.spawn({ ...command, frameCapBytes: ANSWER_BYTES })
    this.ready = new Promise((resolve) => {
      this.#started = resolve
    })
    this.#hold(this, true)
    this.#listen()
    this.#begun = this.#begin(command)
    this.gone = this.#live()
  }

  get identity(): ProcessIdentity | undefined {
    return this.#process.identity
  }

  get isAlive(): boolean {
    return this.#death === undefined
  }

  fork(frameCapBytes: number): ControlledProcess {
    this.#lastId += 1
    const id = this.#lastId
    const fork: Fork = {
      id,
      nonce: randomBytes(16).toString('hex'),
      mark: newMark().mark,
      process: new ForkedProcess(
        { hold: (isHeld) => this.#hold(id, isHeld), release: () => this.#release(fork) },
        frameCapBytes,
      ),
    }
    this.#forks.set(fork.id, fork)
    this.#waiting.push(fork)
    if (this.#death !== undefined) this.#fail(fork, this.#death)
    this.#askNext()
    return fork.process
  }

  /** Undefined for a process that is not one of its forks, or cannot be signalled by it any more. */
  signal(identity: ProcessIdentity, signal: 'SIGTERM' | 'SIGKILL'): boolean | undefined {
    const fork = this.#byIdentity.get(identity)
    if (fork === undefined || this.#death !== undefined) return undefined
    if (!this.#forks.has(fork.id)) return false
    this.#order({ type: 'kill', id: fork.id, signal })
    return true
  }

  async end(): Promise<void> {
    this.#hold(this, true)
    this.#process.channel.close()
    const timer = setTimeout(() => this.#kill(), END_MS)
    await this.gone
    clearTimeout(timer)
  }

  async #begin({ socketPath, preload }: ForkServerCommand): Promise<void> {
    const deadline = setTimeout(() => this.#giveUp(`it was not ready within ${READY_MS / 1_000} s`), READY_MS)
    try {
      await this.#door.open()
      this.#send({ type: 'start', socket: socketPath, preload })
    } catch (error) {
      this.#giveUp(thrownText(error))
    }
    await this.ready
    clearTimeout(deadline)
    this.#hold(this, false)
  }

  #giveUp(message: string): void {
    this.#started({ ok: false, message })
    this.#kill()
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
      overflow: () => this.#kill(),
    })
  }

  #take(answer: ForkAnswer): void {
    switch (answer.type) {
      case 'started':
        return this.#begins(answer.start)
      case 'exited':
        return this.#forks.get(answer.id)?.process.exit(answer.exit)
      case 'forked':
        this.#start(answer.id, answer.pid)
        break
      case 'refused':
        if (this.#asked?.id === answer.id) this.#fail(this.#asked, answer.message)
        this.#asked = undefined
        break
      case 'done':
        break
    }
    this.#patience.answered()
    this.#askNext()
  }

  #begins(start: ForkServerStart): void {
    this.#isReady = start.ok
    if (!start.ok) this.#failure = start.message
    this.#started(start)
    this.#askNext()
  }

  #start(id: number, pid: number): void {
    const fork = this.#asked
    if (fork?.id !== id) return
    this.#asked = undefined
    const identity = this.#system.identify(pid, fork.mark)
    this.#byIdentity.set(identity, fork)
    fork.process.start(identity)
  }

  #askNext(): void {
    if (!this.#isReady || this.#death !== undefined || this.#asked !== undefined) return
    const fork = this.#waiting.shift()
    if (fork === undefined) return
    this.#asked = fork
    // A fork that finds no door ends at once, which is all that is to be said about it.
    this.#door.open().catch(() => {})
    this.#door.expect(fork.nonce, (role, socket) => fork.process.admit(role, socket))
    this.#order({ type: 'fork', id: fork.id, nonce: fork.nonce, mark: fork.mark })
  }

  #order(order: object): void {
    this.#patience.asked()
    this.#send(order)
  }

  #send(message: object): void {
    this.#process.channel.send(JSON.stringify(message), () => {})
  }

  #release(fork: Fork): void {
    this.#door.forget(fork.nonce)
    if (this.#forks.delete(fork.id) && fork.process.identity !== undefined && this.#death === undefined) {
      this.#order({ type: 'reap', id: fork.id })
    }
  }

  #hold(holder: unknown, isHeld: boolean): void {
    if (isHeld) this.#holders.add(holder)
    else this.#holders.delete(holder)
    if (this.#death !== undefined || this.#holders.size > 0 === this.#isRef) return
    this.#isRef = !this.#isRef
    for (const each of [this.#process, this.#door]) this.#isRef ? each.ref() : each.unref()
  }

  #kill(): void {
    if (this.identity !== undefined && this.#death === undefined) this.#system.kill(this.identity)
  }

  async #live(): Promise<void> {
    const exit = await new Promise<ProcessExit>((resolve) => this.#process.onExit(resolve))
    // What it still said is read in this turn.
    await new Promise((resolve) => setImmediate(resolve))
    const death = this.#failure ?? `the fork server ${describe(exit)}`
    this.#death = death
    this.#patience.end()
    this.#started({ ok: false, message: `${death} before it was ready${this.#output && `: ${this.#output}`}` })
    await Promise.all([...this.#forks.values()].map((fork) => this.#mourn(fork, death)))
    await this.#close(exit)
  }

  async #close(exit: ProcessExit): Promise<void> {
    const { channel, stdout, stderr } = this.#process
    if (this.identity !== undefined) await this.#system.endDescendants(this.identity)
    channel.close()
    stdout.destroy()
    stderr.destroy()
    await this.#begun
    const closed = new Promise<void>((resolve) => this.#process.onClose(resolve))
    await Promise.all([this.#door.close(), 'startFailure' in exit || closed])
  }

  /** A fork that outlives its server is nobody's child any more: nobody can wait for it, or say how it ends. */
  async #mourn({ process }: Fork, death: string): Promise<void> {
    const { identity } = process
    if (process.hasExited) return
    if (identity === undefined) return process.exit({ startFailure: new Error(death) })
    this.#system.kill(identity)
    const untilMs = performance.now() + LOST_MS
    while (this.#system.isAlive(identity) && performance.now() < untilMs) await sleep(LOST_ROUND_MS)
    process.exit({ lost: death })
  }

  #fail(fork: Fork, message: string): void {
    fork.process.exit({ startFailure: new Error(message) })
  }
}

const describe = (exit: ProcessExit): string => {
  if ('startFailure' in exit) return `could not be started: ${exit.startFailure.message}`
  if ('lost' in exit) return `was lost: ${exit.lost}`
  return exit.signal === null ? `exited with code ${exit.code}` : `was killed by ${exit.signal}`
}
