import { sourceExcerpt } from 'code-runtime/backend'
import { newQuickJSWASMModule } from 'quickjs-emscripten'

const POSITION = /<model>:(\d+)(?::(\d+))?/
/** Above the program's text. */
const WRAPPER_LINES = 1

/** Compiles programs without running them. */
export class SyntaxCheck {
  #module

  /** What a model should read about a program that does not parse; undefined for one that does. */
  async problemOf(program) {
    this.#module ??= newQuickJSWASMModule()
    try {
      return compile((await this.#module).newContext(), program)
    } catch (error) {
      // An engine that ran out of the host's stack is not used again.
      this.#module = undefined
      return `SyntaxError: the program is nested too deeply (${error.message})`
    }
  }
}

const compile = (context, program) => {
  const text = `(async function () { "use strict";\n${program}\n})`
  const result = context.evalCode(text, '<model>', { compileOnly: true })
  const problem = result.error === undefined ? undefined : describe(context.dump(result.error), program)
  result.dispose()
  context.dispose()
  return problem
}

const describe = ({ name, message, stack = '' }, program) => {
  const [, line = '1', column] = POSITION.exec(stack) ?? []
  const at = Number(line) - WRAPPER_LINES
  const place = column === undefined ? `<model>:${at}` : `<model>:${at}:${column}`
  const excerpt = sourceExcerpt(program, at, column === undefined ? undefined : Number(column))
  return `${name}: ${message}\n    at ${place}\n${excerpt}`.trimEnd()
}
