import { PassThrough } from 'node:stream'
import { type GuestUsage, NOTHING_MEASURED } from '../domain/exit.js'
import type {
  ControlledProcess,
  PreparedInterpreter,
  ProcessCommand,
  ProcessControl,
  ProcessExit,
  ProcessIdentity,
} from '../ports/process-control.js'
import { FakeTransport } from './fake-transport.js'
import { itemAt } from './item-at.js'

type GroupSignal = 'SIGTERM' | 'SIGKILL'

/** What a fake process does, from its start on. */
export type ProcessScript = (process: FakeProcess) => void | Promise<void>

/** A process that the test plays: frames and bytes by `channel`, output by its streams, death by `exit()`. */
export class FakeProcess implements ControlledProcess {
  readonly identity: ProcessIdentity | undefined
  readonly command: ProcessCommand
  readonly channel: FakeTransport
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  /** What its group was sent. */
  readonly signals: GroupSignal[] = []
  /** Whether it would keep the host's process alive. */
  isRef = true
  #onExit: ((exit: ProcessExit) => void) | undefined
  #onClose: (() => void) | undefined
  #exit: ProcessExit | undefined
  #isClosed = false
  /** Whether the caller has done with it. */
  isReleased = false

  constructor(identity: ProcessIdentity | undefined, command: ProcessCommand) {
    this.identity = identity
    this.command = command
    this.channel = new FakeTransport(command.frameCapBytes)
  }

  ref(): void {
    this.isRef = true
  }

  unref(): void {
    this.isRef = false
  }

  onStart(started: (identity: ProcessIdentity) => void): void {
    if (this.identity !== undefined) started(this.identity)
  }

  onExit(exited: (exit: ProcessExit) => void): void {
    this.#onExit = exited
    if (this.#exit !== undefined) exited(this.#exit)
  }

  onClose(closed: () => void): void {
    this.#onClose = closed
    if (this.#isClosed) closed()
  }

  release(): void {
    this.isReleased = true
  }

  /** The process exits; with `holdsPipes`, something that it left behind keeps its streams open. A second time is ignored. */
  exit(exit: ProcessExit, { holdsPipes = false } = {}): void {
    if (this.#exit !== undefined) return
    this.#exit = exit
    this.#onExit?.(exit)
    if (!holdsPipes) this.close()
  }

  /** Its streams close. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#onClose?.()
  }
}

/** An operating system without processes, on which Python is there: it records what is asked of it. */
export class FakeProcessControl implements ProcessControl {
  readonly processes: FakeProcess[] = []
  readonly endedDescendantsOf: number[] = []
  /** Set it to make every spawn throw, as for EMFILE. */
  spawnFailure: Error | undefined
  /** Set it to make every process fail to start after spawn returned, as for ENOENT. */
  startFailure: Error | undefined
  /** Set it to make every signal throw, as for EPERM. */
  signalFailure: Error | undefined
  usage: GuestUsage = NOTHING_MEASURED
  /** The signals that end a process at once. */
  deadlySignals: readonly GroupSignal[] = ['SIGTERM', 'SIGKILL']
  /** Descendants that survive what is done to end them are gone when this resolves. */
  descendantsGone: Promise<unknown> = Promise.resolve()
  readonly #script: ProcessScript | undefined
  #nextPid = 1_000

  constructor(script?: ProcessScript) {
    this.#script = script
  }

  spawn(command: ProcessCommand): FakeProcess {
    if (this.spawnFailure !== undefined) throw this.spawnFailure
    const process = new FakeProcess(this.#newIdentity(), command)
    this.processes.push(process)
    if (this.startFailure === undefined) void this.#script?.(process)
    else process.exit({ startFailure: this.startFailure })
    return process
  }

  signalGroup({ pid }: ProcessIdentity, signal: GroupSignal): boolean {
    if (this.signalFailure !== undefined) throw this.signalFailure
    const process = this.processes.find(({ identity }) => identity?.pid === pid)
    if (process === undefined) return false
    process.signals.push(signal)
    if (this.deadlySignals.includes(signal)) process.exit({ code: null, signal })
    return true
  }

  async endDescendants({ pid }: ProcessIdentity): Promise<void> {
    this.endedDescendantsOf.push(pid)
    await this.descendantsGone
  }

  treeUsage(): GuestUsage {
    return this.usage
  }

  async interpreter(pythonBin: string): Promise<PreparedInterpreter> {
    return { path: pythonBin, guestBytes: Buffer.from('a guest') }
  }

  /** A process by its place in the order of spawns, as soon as it is there; by default the next one. */
  nextProcess(index = this.processes.length): Promise<FakeProcess> {
    return itemAt(this.processes, index)
  }

  #newIdentity(): ProcessIdentity | undefined {
    if (this.startFailure !== undefined) return undefined
    const pid = this.#nextPid
    this.#nextPid += 1
    return { pid, startTime: `start of ${pid}`, mark: `mark of ${pid}` }
  }
}
