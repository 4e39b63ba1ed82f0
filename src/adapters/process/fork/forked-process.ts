import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import type { ControlledProcess, ProcessExit, ProcessIdentity } from '../../../ports/process-control.js'
import { PipeTransport } from '../pipe-transport.js'
import { ROLES, type Role } from './door.js'
import { LateTransport } from './late-transport.js'

/** What a fork asks of the server that made it. */
export interface ForkOwner {
  /** Whether the server must keep the host's process alive for this fork. */
  hold(isHeld: boolean): void
  release(): void
}

/**
 * A fork connects before it waits for anything: after so many looks it cannot (a host without descriptors). A host that
 * was busy for long does not look meanwhile.
 */
const MOST_LOOKS = 20
const LOOK_MS = 100

/** A fork of a server. Everything about it comes later: its pid, its connections, its end. */
export class ForkedProcess implements ControlledProcess {
  readonly channel = new LateTransport(() => this.#channelClosed.settle())
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  readonly #frameCapBytes: number
  readonly #sockets = new Set<Socket>()
  readonly #connected = new Later<void>()
  readonly #started = new Later<ProcessIdentity>()
  readonly #exited = new Later<ProcessExit>()
  readonly #channelClosed = new Later<void>()
  readonly #closed: Promise<unknown>
  #owner: ForkOwner | undefined
  #identity: ProcessIdentity | undefined
  #isRef = true

  constructor(frameCapBytes: number) {
    this.#frameCapBytes = frameCapBytes
    const outputsClosed = [this.stdout, this.stderr].map((output) => new Promise((done) => output.once('close', done)))
    this.#closed = Promise.all([this.#exited.promise, this.#channelClosed.promise, ...outputsClosed])
    void this.#closed.then(() => this.#owner?.hold(false))
  }

  get identity(): ProcessIdentity | undefined {
    return this.#identity
  }

  /** Whether anything of it has reached the host. */
  get isUnmade(): boolean {
    return this.#identity === undefined && this.#sockets.size === 0 && !this.hasExited
  }

  get hasExited(): boolean {
    return this.#exited.isKnown
  }

  ref(): void {
    this.#keep(true)
  }

  unref(): void {
    this.#keep(false)
  }

  onStart(started: (identity: ProcessIdentity) => void): void {
    void this.#started.promise.then(started)
  }

  onExit(exited: (exit: ProcessExit) => void): void {
    void this.#exited.promise.then(exited)
  }

  onClose(closed: () => void): void {
    void this.#closed.then(closed)
  }

  release(): void {
    this.#owner?.release()
  }

  /** From now on a server makes it, or the next one. */
  belongTo(owner: ForkOwner): void {
    this.#owner = owner
    owner.hold(this.#isRef)
  }

  /** It was forked. */
  start(identity: ProcessIdentity): void {
    this.#identity = identity
    this.#started.settle(identity)
    this.#awaitConnections()
  }

  #awaitConnections(): void {
    let looks = 0
    const timer = setInterval(() => {
      looks += 1
      if (looks === MOST_LOOKS) this.#giveUp()
    }, LOOK_MS).unref()
    void Promise.race([this.#connected.promise, this.#exited.promise]).then(() => clearInterval(timer))
  }

  /** It leaves when its channel ends. */
  #giveUp(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** It has ended, or never began. A fork leaves by itself before it is connected only when it cannot be. */
  exit(exit: ProcessExit): void {
    const isStranded = 'code' in exit && exit.code !== null && this.#sockets.size < ROLES.length
    this.#exited.settle(isStranded ? { startFailure: new Error('the fork could not reach the host') } : exit)
  }

  /** One of its descriptors is connected. */
  admit(role: Role, socket: Socket): void {
    this.#sockets.add(socket)
    if (!this.#isRef) socket.unref()
    if (role === 1) feed(this.stdout, socket)
    else if (role === 2) feed(this.stderr, socket)
    else {
      socket.once('close', () => this.#channelClosed.settle())
      // It gets no program before it is known and connected.
      void Promise.all([this.#started.promise, this.#connected.promise]).then(() =>
        this.channel.attach(new PipeTransport(socket, this.#frameCapBytes)),
      )
    }
    if (this.#sockets.size === ROLES.length) this.#connected.settle()
  }

  #keep(isRef: boolean): void {
    if (isRef === this.#isRef) return
    this.#isRef = isRef
    this.#owner?.hold(isRef)
    for (const socket of this.#sockets) isRef ? socket.ref() : socket.unref()
  }
}

/** A value that comes once. */
class Later<Value> {
  isKnown = false
  settle!: (value: Value) => void
  readonly promise = new Promise<Value>((resolve) => {
    this.settle = (value) => {
      this.isKnown = true
      resolve(value)
    }
  })
}

const feed = (output: PassThrough, socket: Socket): void => {
  socket.once('close', () => output.end())
  output.once('close', () => socket.destroy())
  socket.pipe(output)
}
