import { readGuestScripts } from 'code-runtime/backend'
import { QuickJsGuest } from './guest.js'
import { SyntaxCheck } from './syntax-check.js'

/**
 * JavaScript programs in QuickJS, each in a WebAssembly instance of its own, in the thread of the host.
 * @implements {import('code-runtime').Launcher}
 */
export class QuickJsLauncher {
  language = 'javascript'
  isolation = 'wasm'
  /** @type {readonly import('code-runtime').LimitName[]} */
  limits = ['computeMs', 'maxHeapMb']
  #scripts
  #syntax = new SyntaxCheck()
  #alive = new Set()

  /** @param {import('code-runtime/backend').GuestScripts} scripts */
  constructor(scripts) {
    this.#scripts = scripts
  }

  static async create() {
    return new QuickJsLauncher(await readGuestScripts())
  }

  /** @param {string} program */
  async prepare(program) {
    const problem = await this.#syntax.problemOf(program)
    return problem === undefined ? { ok: true, program } : { ok: false, message: problem }
  }

  /** @param {import('code-runtime').LaunchOptions} options */
  launch(options) {
    const guest = new QuickJsGuest({
      ...options,
      scripts: this.#scripts,
      onGone: () => this.#alive.delete(guest),
    })
    this.#alive.add(guest)
    return guest
  }

  async dispose() {
    const alive = [...this.#alive]
    for (const guest of alive) guest.stop()
    await Promise.all(alive.map((guest) => guest.gone))
  }
}
