import type { Compile, Refused } from './compile.js'
import { moduleHint } from './import-hint.js'
import { usesJsx } from './jsx.js'
import { lastVisible, type Problem, problemAt } from './problem.js'
import { refusalOffset } from './refusal-offset.js'
import { openWrapper } from './wrapper.js'

const MODULE_SYNTAX = "'import', and 'export' cannot be used outside of module code"

/** swc's refusal in the terms of the program, which knows of no wrapper. */
export const explain = async ({ refusal, readAs }: Refused, source: string, compile: Compile): Promise<Problem> => {
  const read = await refusalOffset(refusal, readAs?.text ?? source, compile)
  const offset = readAs?.originalOffset(read) ?? read
  const isAtEnd = offset >= lastVisible(source)
  if (refusal.message === MODULE_SYNTAX) return problemAt(moduleHint(source, offset), source, offset)
  if (
    (isAtEnd || refusal.message.startsWith("Expected ','")) &&
    (await closesWrapper(source.slice(0, offset), compile))
  ) {
    return problemAt(STRAY_BRACE, source, source.lastIndexOf('}', offset))
  }
  if (usesJsx(source, offset)) return problemAt(JSX, source, offset)
  return problemAt(isAtEnd ? textAtEnd(refusal.message) : inOurWords(refusal.message), source, offset)
}

const STRAY_BRACE = "Unexpected '}': it closes no block of the program"
const JSX = 'JSX is not available in a program: build the value with function calls'
const HTML_COMMENT = 'HTML comments (`<!--` and `-->`) are not available in a program'
const UNFINISHED = 'Unexpected end of the program: a bracket, a block or an expression is not finished'

const inOurWords = (message: string): string =>
  message.startsWith('Legacy comments') ? HTML_COMMENT : message.replace('<eof>', 'the end')

const textAtEnd = (message: string): string => (message.startsWith('Unterminated') ? message : UNFINISHED)

/** Whether the wrapper is complete after this beginning of the program. */
const closesWrapper = async (beginning: string, compile: Compile): Promise<boolean> => {
  const answers = [
    await compile(openWrapper(beginning), 'strip-only'),
    await compile(openWrapper(`${beginning})`), 'strip-only'),
  ]
  return answers.some(
    (answer) => 'output' in answer || ('refusal' in answer && answer.refusal.code !== 'InvalidSyntax'),
  )
}
