import { type Observer, wrapProgram } from './wrap-program.js'

const { apply } = Reflect
const { defineProperty } = Object
const { then } = Promise.prototype
const { resolve } = Promise
const ProgramPromise = Promise
// Without a prototype: a program can put `get` on Object.prototype.
const SHADOW: PropertyDescriptor = Object.assign(Object.create(null), { value: undefined })

export type StartProgram = (code: string, returned: (value: unknown) => void, threw: (error: unknown) => void) => void

/** Runs a program in a turn of its own. `evaluate` gives the value of a script of the program's realm. */
export const programStarter =
  (evaluate: (script: string) => unknown): StartProgram =>
  (code, returned, threw) => {
    const observe: Observer = (promise) => {
      // Without a constructor of its own, `then` takes the intrinsic one, whatever the program did to Promise.
      defineProperty(promise, 'constructor', SHADOW)
      apply(then, promise, [returned, threw])
    }
    try {
      const newStart = evaluate(wrapProgram(code)) as (observe: Observer) => () => void
      apply(then, apply(resolve, ProgramPromise, []), [newStart(observe)])
    } catch (error) {
      threw(error)
    }
  }
