import { isFunctionBody } from './v8-syntax.js'

/** A program that V8 takes as it is, and that means the same in TypeScript: most need no compiler at all. */
export const isPlainJavaScript = (program: string): boolean =>
  !mayHoldTypeArguments(program) && !mayHoldHtmlComment(program) && isFunctionBody(program)

/** `f<T>(x)` is a call in TypeScript and two comparisons in JavaScript. */
const mayHoldTypeArguments = (program: string): boolean => {
  const open = program.indexOf('<')
  return open !== -1 && /(?<!=)>/.test(program.slice(open))
}

const mayHoldHtmlComment = (program: string): boolean => /<!--|-->/.test(program)
