import type { Compile } from './compile.js'
import type { Refusal } from './compiler-worker.js'
import { swcSourceLines } from './lines.js'
import { wrapForStrip } from './wrapper.js'

/** Where in the program swc stopped; the program's end when that was in the wrapper. */
export const refusalOffset = async (refusal: Refusal, source: string, compile: Compile): Promise<number> => {
  const lines = swcSourceLines(source)
  const start = lines.offset({ line: refusal.startLine - 1, column: 1 })
  const [text = ''] = source.slice(start, lines.offset({ line: refusal.startLine, column: 1 })).split(/[\n\r]/, 1)
  const column = isAscii(text) ? refusal.startColumn : await unitColumn(refusal, { source, start, text }, compile)
  return Math.min(start + column, source.length)
}

interface Line {
  readonly source: string
  readonly start: number
  readonly text: string
}

const isAscii = (text: string): boolean => /^[ -~]*$/.test(text)

/** The column in UTF-16 units, told by swc itself of the same line with characters of one column each. */
const unitColumn = async (refusal: Refusal, { source, start, text }: Line, compile: Compile): Promise<number> => {
  const line = text.replace(/[^ -~]/g, (unit) => standIn(unit, refusal.message))
  const answer = await compile(
    wrapForStrip(source.slice(0, start) + line + source.slice(start + text.length)),
    'strip-only',
  )
  const isSame = 'refusal' in answer && answer.refusal.message === refusal.message
  return Math.min(isSame ? answer.refusal.startColumn : refusal.startColumn, text.length)
}

/** What the message names, and what ends a line for ECMAScript, has to stay. */
const standIn = (unit: string, message: string): string => {
  if (message.includes(unit) || /[\u2028\u2029]/.test(unit)) return unit
  return /\s/.test(unit) ? ' ' : 'a'
}
