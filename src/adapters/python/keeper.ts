import { type ChildProcess, spawn } from 'node:child_process'
import type { ProcessIdentity } from '../../ports/process-control.js'
import { assetPath } from '../assets.js'

/**
 * A small process beside the host that ends the guests when the host dies without a word, by SIGKILL for instance.
 * Started with the first guest; it ends when its standard input does. Without one (it could not start, or was
 * killed) runs go on, and the next guest gets a new one.
 */
export class Keeper {
  readonly #interpreter: string
  #child: ChildProcess | undefined

  constructor(interpreter: string) {
    this.#interpreter = interpreter
  }

  watch({ pid, startTime, mark }: ProcessIdentity): void {
    this.#child ??= this.#tryStart()
    this.#tell(`+ ${pid} ${startTime ?? '-'} ${mark}\n`)
  }

  forget({ pid }: ProcessIdentity): void {
    this.#tell(`- ${pid}\n`)
  }

  async dispose(): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    child.ref()
    child.stdin?.end()
    await exited
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
    child.once('error', forget)
    child.once('exit', forget)
    child.stdin?.on('error', forget)
    return child
  }

  #tell(line: string): void {
    this.#child?.stdin?.write(line)
  }
}
