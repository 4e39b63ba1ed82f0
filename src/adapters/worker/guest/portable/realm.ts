// What the agent needs of the program's realm, by the intrinsics of ECMAScript. Evaluated there before the program.

import { defineGlobal, namespaceDefiner, newPromise } from '../namespace.js'
import { programStarter } from '../start-program.js'
import { WRAPPER_LINES } from '../wrap-program.js'
import type { PortableServices } from './agent.js'

/** What the engine itself must give. */
export interface GuestEngine {
  /** Sends a frame's text to the host. */
  post(text: string): void
  /** The value of a script of the program's realm; its file is `<model>`, its first line is line 1. */
  evaluate(script: string): unknown
  /** A value as text, for `console` and for what is thrown but no error. Bounded. */
  inspect(value: unknown): string
}

const { parse } = JSON
const { apply } = Reflect
const isInstance = Function.prototype[Symbol.hasInstance]
const ProgramError = Error
const ProgramTypeError = TypeError

export const createServices = ({ post, evaluate, inspect }: GuestEngine): PortableServices => ({
  post,
  inspect,
  parse: (text) => parse(text),
  isError: (value) => apply(isInstance, ProgramError, [value]),
  cwd: '',
  defineNamespace: namespaceDefiner(defineGlobal),
  newPromise,
  typeError: (message) => new ProgramTypeError(message),
  endOutput: () => {},
  linesAbove: WRAPPER_LINES,
  start: programStarter((script) => evaluate(script)),
})
