export type Observer = (promise: Promise<unknown>) => void

/** Text on lines of its own before the program's. */
export const WRAPPER_LINES = 1

/**
 * A script whose value takes an observer and gives the function that starts the program, which is called by no frame of
 * ours. The observer's name is random: the program's text is in its scope.
 */
export const wrapProgram = (code: string): string => {
  const observer = `_${randomWord()}${randomWord()}`
  return `(${observer} => () => { ${observer}((async function () { "use strict";\n${code}\n})()) })`
}

const randomWord = (): string => Math.random().toString(36).slice(2)
