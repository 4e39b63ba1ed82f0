import { constants, Script } from 'node:vm'
import { programStarter } from './start-program.js'
import { WRAPPER_LINES } from './wrap-program.js'

const PROGRAM_FILE = '<model>'

/** Compiles the program's text and runs it. Every position is the program's own: the wrapper is above line 1. */
export const startProgram = programStarter((script) =>
  new Script(script, {
    filename: PROGRAM_FILE,
    lineOffset: -WRAPPER_LINES,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }).runInThisContext(),
)
