import { constants, Script } from 'node:vm'

const { apply } = Reflect
const { defineProperty } = Object
const { then } = Promise.prototype
const { resolve } = Promise
const ProgramPromise = Promise
const PROGRAM_FILE = '<model>'
// Without a prototype: a program can put `get` on Object.prototype.
const SHADOW: PropertyDescriptor = Object.assign(Object.create(null), { value: undefined })

type Observer = (promise: Promise<unknown>) => void

/**
 * Compiles the program's text and runs it in a turn of its own, called by no frame of ours. The wrapper's line is line
 * 0 of the program's file, so that every position is the program's own.
 */
export const startProgram = (
  code: string,
  returned: (value: unknown) => void,
  threw: (error: unknown) => void,
): void => {
  const observe: Observer = (promise) => {
    // Without a constructor of its own, `then` takes the intrinsic one, whatever the program did to Promise.
    defineProperty(promise, 'constructor', SHADOW)
    apply(then, promise, [returned, threw])
  }
  try {
    apply(then, apply(resolve, ProgramPromise, []), [compile(code)(observe)])
  } catch (error) {
    threw(error)
  }
}

// The name is random: the program's text is in its scope.
const compile = (code: string): ((observe: Observer) => () => void) => {
  const observer = `_${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`
  const wrapped = `(${observer} => () => { ${observer}((async function () { "use strict";\n${code}\n})()) })`
  const script = new Script(wrapped, {
    filename: PROGRAM_FILE,
    lineOffset: -1,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  return script.runInThisContext()
}
