import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PipeTransport } from '../../src/adapters/process/pipe-transport.js'
import { type GuestExit, type GuestUsage, NOTHING_MEASURED } from '../../src/domain/exit.js'
import type { Guest, GuestSink } from '../../src/ports/guest.js'
import type { Launcher, LaunchOptions, PreparedProgram } from '../../src/ports/launcher.js'

const EXIT: GuestExit = { type: 'exited', code: 0 }

/** A guest whose channel is one end of a real socket; the fuzzer holds the other. */
class SocketGuest implements Guest {
  readonly stopWithinMs = 1_000
  readonly transport: PipeTransport
  readonly #socket: Socket

  constructor(socket: Socket, capBytes: number) {
    this.#socket = socket
    this.transport = new PipeTransport(socket, capBytes)
  }

  start(sink: GuestSink): void {
    this.transport.open(sink)
    this.#socket.once('close', () => sink.gone(EXIT))
  }

  usage(): GuestUsage {
    return NOTHING_MEASURED
  }

  stop(): void {
    this.transport.close()
  }
}

/** A backend of guests that are nothing but the other end of a socket. */
export class SocketLauncher implements Launcher {
  readonly language = 'bytes'
  readonly isolation = 'socket'
  readonly #folder = mkdtempSync(join(tmpdir(), 'fuzz-'))
  readonly #server: Server = createServer()
  readonly #capBytes: number
  #next: Socket | undefined

  constructor(capBytes: number) {
    this.#capBytes = capBytes
  }

  async listen(): Promise<this> {
    this.#server.listen(join(this.#folder, 'channel'))
    await once(this.#server, 'listening')
    return this
  }

  /** The guest's end of the channel of the next run. */
  async connectNext(): Promise<Socket> {
    const guestEnd = connect(join(this.#folder, 'channel'))
    const [[hostEnd]] = await Promise.all([once(this.#server, 'connection'), once(guestEnd, 'connect')])
    this.#next = hostEnd as Socket
    guestEnd.on('error', () => {}).resume()
    return guestEnd
  }

  async prepare(program: string): Promise<PreparedProgram> {
    return { ok: true, program }
  }

  launch(_options: LaunchOptions): Guest {
    if (this.#next === undefined) throw new Error('no socket is connected')
    return new SocketGuest(this.#next, this.#capBytes)
  }

  async dispose(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve))
    rmSync(this.#folder, { recursive: true })
  }
}
