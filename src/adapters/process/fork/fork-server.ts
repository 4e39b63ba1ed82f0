import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { thrownText } from '../../../domain/text.js'
import type {
  ControlledProcess,
  ForkServer,
  ForkServerCommand,
  ForkServerStart,
  ProcessIdentity,
} from '../../../ports/process-control.js'
import { newMark } from '../run-mark.js'
import type { ForkAnswer } from './answer.js'
import { Door } from './door.js'
import { ForkedProcess } from './forked-process.js'
import { type ForkSystem, ServerProcess } from './server-process.js'

/** A fork whose server has died is killed; so long its death is waited for. */
const LOST_MS = 2_000
const LOST_ROUND_MS = 5
/** A fork that was not made is made by the next server, and by the one after that. */
const MOST_SERVERS = 3

interface Fork {
  readonly id: number
  readonly nonce: string
  readonly mark: string
  readonly process: ForkedProcess
  /** The how manieth server makes it. */
  readonly attempt: number
}

/** A server process and its forks. */
export class NodeForkServer implements ForkServer {
  readonly gone: Promise<void>
  readonly #command: ForkServerCommand
  readonly #system: ForkSystem
  readonly #server: ServerProcess
  readonly #door: Door
  /** Those that were not released yet. */
  readonly #forks = new Map<number, Fork>()
  readonly #byIdentity = new WeakMap<ProcessIdentity, Fork>()
  /** Those that were not asked for yet. */
  readonly #waiting: Fork[] = []
  /** Who needs the host's process to stay alive. */
  readonly #holders = new Set<unknown>()
  #asked: Fork | undefined
  #isReady = false
  #isEnding = false
  #isRef = true
  #death: string | undefined
  #lastId = 0

  constructor(command: ForkServerCommand, system: ForkSystem) {
    this.#command = command
    this.#system = system
    this.#door = new Door(command.socketPath)
    this.#server = new ServerProcess(command, system, (answer) => this.#take(answer))
    this.gone = this.#live()
  }

  get identity(): ProcessIdentity | undefined {
    return this.#server.identity
  }

  get ready(): Promise<ForkServerStart> {
    return this.#server.ready
  }

  /** The system knows before the host hears of it. */
  get isAlive(): boolean {
    const { identity } = this
    return this.#death === undefined && identity !== undefined && this.#system.isAlive(identity)
  }

  fork(frameCapBytes: number): ControlledProcess {
    const process = new ForkedProcess(frameCapBytes)
    this.#make(process, 1)
    return process
  }

  /** Undefined for a process that is not one of its forks, or cannot be signalled by it any more. */
  signal(identity: ProcessIdentity, signal: 'SIGTERM' | 'SIGKILL'): boolean | undefined {
    const fork = this.#byIdentity.get(identity)
    if (fork === undefined || this.#death !== undefined) return undefined
    if (!this.#forks.has(fork.id)) return false
    this.#server.order({ type: 'kill', id: fork.id, signal })
    return true
  }

  async end(): Promise<void> {
    this.#isEnding = true
    this.#hold(this, true)
    await this.#server.end()
    await this.gone
  }

  #make(process: ForkedProcess, attempt: number): void {
    this.#lastId += 1
    const id = this.#lastId
    const fork = { id, nonce: randomBytes(16).toString('hex'), mark: newMark().mark, process, attempt }
    this.#forks.set(id, fork)
    process.belongTo({ hold: (isHeld) => this.#hold(id, isHeld), release: () => this.#release(id) })
    if (this.#death === undefined) this.#waiting.push(fork)
    else fail(fork, this.#death)
    this.#askNext()
  }

  async #live(): Promise<void> {
    this.#hold(this, true)
    await this.#begin(this.#command)
    this.#hold(this, false)
    const death = await this.#server.died
    this.#death = death
    this.#bequeath()
    await Promise.all([...this.#forks.values()].map((fork) => this.#mourn(fork, death)))
    await Promise.all([this.#server.clear(), this.#door.close()])
  }

  async #begin(command: ForkServerCommand): Promise<void> {
    try {
      await this.#door.open()
    } catch (error) {
      this.#server.giveUp(thrownText(error))
    }
    await this.#server.start(command)
  }

  #take(answer: ForkAnswer): void {
    switch (answer.type) {
      case 'ready':
        this.#isReady = true
        break
      case 'forked':
        this.#start(answer.id, answer.pid)
        break
      case 'refused':
        if (this.#asked !== undefined) fail(this.#asked, answer.message)
        this.#asked = undefined
        break
      case 'exited':
        this.#forks.get(answer.id)?.process.exit(answer.exit)
        break
      case 'failed':
      case 'killed':
      case 'reaped':
        break
    }
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

  /** One at a time: the memory of a fork must not hold the nonce of another one. */
  #askNext(): void {
    if (!this.#isReady || this.#death !== undefined || this.#asked !== undefined) return
    const fork = this.#waiting.shift()
    if (fork === undefined) return
    const { id, nonce, mark, process } = fork
    this.#asked = fork
    // A fork that finds no door ends at once, which is all that is to be said about it.
    this.#door.open().catch(() => {})
    this.#door.expect(nonce, (role, socket) => process.admit(role, socket))
    this.#server.order({ type: 'fork', id, nonce, mark })
  }

  #release(id: number): void {
    const fork = this.#forks.get(id)
    if (fork === undefined) return
    this.#forks.delete(id)
    this.#door.forget(fork.nonce)
    if (fork.process.identity !== undefined && this.#death === undefined) this.#server.order({ type: 'reap', id })
  }

  #hold(holder: unknown, isHeld: boolean): void {
    if (isHeld) this.#holders.add(holder)
    else this.#holders.delete(holder)
    if (this.#death !== undefined || this.#holders.size > 0 === this.#isRef) return
    this.#isRef = !this.#isRef
    for (const each of [this.#server, this.#door]) this.#isRef ? each.ref() : each.unref()
  }

  /** Forks that were never made are made by another server: who killed this one may be a run that is over. */
  #bequeath(): void {
    const unmade = [...this.#forks.values()].filter(
      ({ process, attempt }) => process.isUnmade && attempt < MOST_SERVERS,
    )
    if (!this.#isReady || this.#isEnding || unmade.length === 0) return
    const heir = this.#replacement()
    if (heir === undefined) return
    for (const { id, nonce, process, attempt } of unmade) {
      this.#door.forget(nonce)
      this.#forks.delete(id)
      heir.#make(process, attempt + 1)
    }
  }

  #replacement(): NodeForkServer | undefined {
    try {
      const server = this.#command.replace?.()
      return server instanceof NodeForkServer ? server : undefined
    } catch {
      return undefined
    }
  }

  /** A fork that outlives its server is nobody's child any more: nobody can wait for it, or say how it ends. */
  async #mourn(fork: Fork, death: string): Promise<void> {
    const { identity, hasExited } = fork.process
    if (hasExited) return
    if (identity === undefined) return fail(fork, death)
    this.#system.kill(identity)
    const untilMs = performance.now() + LOST_MS
    while (this.#system.isAlive(identity) && performance.now() < untilMs) await sleep(LOST_ROUND_MS)
    fork.process.exit({ lost: death })
  }
}

const fail = ({ process }: Fork, message: string): void => process.exit({ startFailure: new Error(message) })
