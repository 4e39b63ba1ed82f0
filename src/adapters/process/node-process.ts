import type { ChildProcess } from 'node:child_process'
import { type Duplex, PassThrough, type Readable } from 'node:stream'
import { PROTOCOL_FD } from '../../domain/frame.js'
import type { ControlledProcess, ProcessExit, ProcessIdentity } from '../../ports/process-control.js'
import { PipeTransport } from './pipe-transport.js'

interface Handle {
  ref?(): void
  unref?(): void
}

/** A child process and its streams. */
export class NodeProcess implements ControlledProcess {
  readonly identity: ProcessIdentity | undefined
  readonly channel: PipeTransport
  readonly stdout: Readable
  readonly stderr: Readable
  readonly #child: ChildProcess
  readonly #exited: Promise<ProcessExit>
  readonly #closed: Promise<void>

  constructor(child: ChildProcess, identity: ProcessIdentity | undefined, frameCapBytes: number) {
    // With no descriptor left there are no streams (EMFILE); the reason comes as an `error` event.
    const streams: readonly unknown[] = (child as { stdio?: readonly unknown[] }).stdio ?? []
    const stream = (number: number): Duplex => (streams[number] as Duplex | undefined) ?? new PassThrough()
    this.#child = child
    this.identity = identity
    this.channel = new PipeTransport(stream(PROTOCOL_FD), frameCapBytes)
    this.stdout = stream(1)
    this.stderr = stream(2)
    this.#exited = new Promise((resolve) => {
      child.on('error', (startFailure) => resolve({ startFailure }))
      child.once('exit', (code, signal) => resolve({ code, signal }))
    })
    this.#closed = new Promise((resolve) => child.once('close', () => resolve()))
    for (const output of [this.stdout, this.stderr]) output.on('error', () => output.destroy())
  }

  ref(): void {
    for (const handle of this.#handles()) handle.ref?.()
  }

  unref(): void {
    for (const handle of this.#handles()) handle.unref?.()
  }

  #handles(): readonly Handle[] {
    return [this.#child, ...((this.#child.stdio as readonly unknown[] | undefined) ?? [])].filter(
      (handle): handle is Handle => typeof handle === 'object' && handle !== null,
    )
  }

  onStart(started: (identity: ProcessIdentity) => void): void {
    if (this.identity !== undefined) started(this.identity)
  }

  onExit(exited: (exit: ProcessExit) => void): void {
    void this.#exited.then(exited)
  }

  onClose(closed: () => void): void {
    void this.#closed.then(closed)
  }

  /** Node waits for its children by itself. */
  release(): void {}
}
