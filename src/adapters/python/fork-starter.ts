import { join } from 'node:path'
import { ConfigurationError } from '../../domain/errors.js'
import { showValue } from '../../domain/show.js'
import { thrownText } from '../../domain/text.js'
import type { ForkServer, ForkServerStart } from '../../ports/process-control.js'
import { guestEnv } from './guest-env.js'
import { type GuestStarter, interpreterArgs, type StartedGuest, type StarterOptions } from './guest-starter.js'
import type { Keeper } from './keeper.js'
import { NOTHING_STAGED, type StagedFile, stageGuest } from './staging.js'

/** The argument with which the guest's file serves forks. */
const SERVE = 'fork-server'
/** The kernel takes no longer name of a socket. */
const MOST_PATH_BYTES = 107

export interface ForkStarterOptions extends StarterOptions {
  readonly preload: readonly string[]
  readonly keeper: Keeper | undefined
}

/** Forks each guest from one server, and starts another server when it died. */
export class ForkStarter implements GuestStarter {
  readonly #options: ForkStarterOptions
  /** With those whose end is not complete. */
  readonly #servers = new Set<ForkServer>()

  private constructor(options: ForkStarterOptions) {
    this.#options = options
  }

  /** Rejects with a ConfigurationError when the server does not become ready. */
  static async create(options: ForkStarterOptions): Promise<ForkStarter> {
    const starter = new ForkStarter(options)
    const start = await starter.#tryStart()
    if (start.ok) return starter
    await starter.dispose()
    throw problem(start)
  }

  start(frameCapBytes: number): StartedGuest {
    return { process: this.#liveServer().fork(frameCapBytes), staged: NOTHING_STAGED }
  }

  /** Whatever became of the interpreter's file: forks are of the server that was started, as long as it lives. */
  isCurrent(): boolean {
    return [...this.#servers].every(({ isAlive }) => isAlive)
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#servers].map((server) => server.end()))
  }

  async #tryStart(): Promise<ForkServerStart> {
    try {
      return await this.#startServer().ready
    } catch (error) {
      return { ok: false, message: thrownText(error) }
    }
  }

  #liveServer(): ForkServer {
    return [...this.#servers].find(({ isAlive }) => isAlive) ?? this.#startServer()
  }

  #startServer(): ForkServer {
    const staged = stageGuest(this.#options.guestBytes)
    try {
      const server = this.#serve(staged)
      this.#servers.add(server)
      this.#watch(server, staged)
      return server
    } catch (error) {
      staged.remove()
      throw error
    }
  }

  #serve({ path, folder }: StagedFile): ForkServer {
    const { interpreter, cwd, preload, processControl } = this.#options
    const { path: file } = interpreter
    const socketPath = join(folder, 's')
    if (Buffer.byteLength(socketPath) > MOST_PATH_BYTES) throw new Error(`the temp root's path is too long: ${folder}`)
    const args = [...interpreterArgs(path), SERVE]
    const replace = () => this.#liveServer()
    const server = processControl.startForkServer?.({ file, args, env: guestEnv(), cwd, socketPath, preload, replace })
    if (server === undefined) throw new Error('the process control has no fork server')
    return server
  }

  #watch(server: ForkServer, staged: StagedFile): void {
    const { keeper } = this.#options
    const { identity } = server
    if (identity !== undefined) keeper?.watchServer(identity, staged.folder)
    // It has been read, and no program may write what the next server reads.
    void server.ready.then(() => staged.removeFile())
    void server.gone.then(() => {
      this.#servers.delete(server)
      if (identity !== undefined) keeper?.forget(identity)
      staged.remove()
    })
  }
}

const problem = (start: Extract<ForkServerStart, { ok: false }>): ConfigurationError => {
  const { message, module } = start
  if (module === undefined) return new ConfigurationError(`The fork server could not be started: ${message}`)
  return new ConfigurationError(
    `Expected \`forkServer.preload\` to be modules that can be imported and start no thread, got \`${showValue(module)}\`:\n${message.trim()}`,
  )
}
