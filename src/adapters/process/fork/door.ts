import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { PROTOCOL_FD } from '../../../domain/frame.js'

const NONCE_CHARACTERS = 32
const HELLO = /^([0-9a-f]{32})([0-9])$/
/** Connections that have not said yet whose they are; the oldest gives way. */
const MOST_STRANGERS = 256

export type Role = typeof PROTOCOL_FD | 1 | 2
export const ROLES: readonly Role[] = [PROTOCOL_FD, 1, 2]

export type Admit = (role: Role, socket: Socket) => void

/**
 * Where forks connect, once for each of their descriptors. The first bytes say who it is, by a nonce that only its fork
 * was given, and which descriptor; whoever says anything else is hung up on.
 */
export class Door {
  readonly #path: string
  readonly #expected = new Map<string, { readonly admit: Admit; readonly roles: Set<Role> }>()
  readonly #strangers = new Set<Socket>()
  readonly #closed: Promise<void>[] = []
  #server: Server | undefined
  #inode: number | undefined
  #isRef = true

  /** The path lies in a folder that is private. */
  constructor(path: string) {
    this.#path = path
  }

  /** Listens, anew if a program has taken the path away: who connects from now on waits. Rejects when that cannot be. */
  async open(): Promise<void> {
    if (this.#inode !== undefined && this.#inode === inodeOf(this.#path)) return
    this.#stop()
    makeRoom(this.#path)
    const server = createServer((socket) => this.#meet(socket))
    if (!this.#isRef) server.unref()
    this.#server = server
    const listening = new Promise<void>((resolve, reject) => {
      // What accept fails with later, with no descriptor left for instance, concerns the connection alone.
      server.on('error', reject)
      server.listen(this.#path, resolve)
    })
    this.#inode = inodeOf(this.#path)
    await listening
  }

  /** Lets a fork in, each of its descriptors once. */
  expect(nonce: string, admit: Admit): void {
    this.#expected.set(nonce, { admit, roles: new Set(ROLES) })
  }

  forget(nonce: string): void {
    this.#expected.delete(nonce)
    if (this.#expected.size === 0) for (const socket of this.#strangers) socket.destroy()
  }

  ref(): void {
    this.#isRef = true
    this.#server?.ref()
  }

  unref(): void {
    this.#isRef = false
    this.#server?.unref()
  }

  /** Resolves when nobody who came through it is connected any more. */
  async close(): Promise<void> {
    this.#expected.clear()
    for (const socket of this.#strangers) socket.destroy()
    this.#stop()
    await Promise.all(this.#closed)
  }

  #stop(): void {
    const server = this.#server
    this.#server = undefined
    if (server !== undefined) this.#closed.push(new Promise((resolve) => server.close(() => resolve())))
  }

  #meet(socket: Socket): void {
    socket.on('error', () => {})
    if (this.#expected.size === 0) return void socket.destroy()
    this.#strangers.add(socket)
    socket.once('close', () => this.#strangers.delete(socket))
    const [oldest] = this.#strangers
    if (this.#strangers.size > MOST_STRANGERS) oldest?.destroy()
    const listen = (): void => {
      const hello = socket.read(NONCE_CHARACTERS + 1) as Buffer | null
      if (hello === null) return
      socket.removeListener('readable', listen)
      this.#strangers.delete(socket)
      this.#greet(hello.toString('latin1'), socket)
    }
    socket.on('readable', listen)
  }

  #greet(hello: string, socket: Socket): void {
    const [, nonce = '', digit] = HELLO.exec(hello) ?? []
    const expected = this.#expected.get(nonce)
    const role = ROLES.find((number) => String(number) === digit)
    if (expected === undefined || role === undefined || !expected.roles.delete(role)) return void socket.destroy()
    if (expected.roles.size === 0) this.forget(nonce)
    expected.admit(role, socket)
  }
}

const inodeOf = (path: string): number | undefined => {
  try {
    return lstatSync(path).ino
  } catch {
    return undefined
  }
}

const makeRoom = (path: string): void => {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  rmSync(path, { recursive: true, force: true })
}
