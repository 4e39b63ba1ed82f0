import { type ChildProcess, spawn } from 'node:child_process'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ProcessIdentity } from '../../ports/process-control.js'
import { assetPath } from '../assets.js'

/** After its `close` event, so many turns of the event loop pass before a child's handle is closed (Node 20 to 24). */
const TURNS_TO_CLOSE = 2
/** A keeper that was stopped, or hangs, is killed after so long. */
const END_MS = 1_000

/**
 * A small process beside the host that ends the guests, and removes their files, when the host dies without a word, by SIGKILL for instance.
 * Started with the first guest; it ends when its standard input does. Without one (it could not start, or was
 * killed) runs go on, and the next guest gets a new one, which is told of all.
 */
export class Keeper {
  readonly #interpreter: string
  readonly #watched = new Map<number, string>()
  #child: ChildProcess | undefined

  constructor(interpreter: string) {
    this.#interpreter = interpreter
  }

  watch(guest: ProcessIdentity, folder: string): void {
    this.#watch('+', guest, folder)
  }

  /** Its children are guests, so it gets no limit that they would inherit. */
  watchServer(server: ProcessIdentity, folder: string): void {
    this.#watch('*', server, folder)
  }

  forget({ pid }: ProcessIdentity): void {
    this.#watched.delete(pid)
    this.#tell(`- ${pid}\n`)
  }

  async dispose(): Promise<void> {
    const child = this.#child
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
    const deadline = setTimeout(() => child.kill('SIGKILL'), END_MS)
    child.ref()
    child.stdin?.end()
    await closed
    clearTimeout(deadline)
    for (let turn = 0; turn < TURNS_TO_CLOSE; turn += 1) await nextTurn()
  }

  #watch(sign: '+' | '*', { pid, startTime, mark }: ProcessIdentity, folder: string): void {
    const line = `${sign} ${pid} ${startTime ?? '-'} ${mark} ${folder}\n`
    this.#watched.set(pid, line)
    if (this.#child !== undefined) return this.#tell(line)
    this.#child = this.#tryStart()
    this.#tell([...this.#watched.values()].join(''))
  }

  #tryStart(): ChildProcess | undefined {
    try {
      return this.#start()
    } catch {
      return undefined
    }
  }

  #start(): ChildProcess {
    const child = spawn(this.#interpreter, ['-I', '-S', '-B', assetPath('#py/keeper.py')], {
      detached: true,
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    child.unref()
    const forget = (): void => {
      if (this.#child === child) this.#child = undefined
    }
    child.on('error', forget)
    child.once('exit', forget)
    child.stdin?.on('error', forget)
    return child
  }

  #tell(lines: string): void {
    this.#child?.stdin?.write(lines)
  }
}
