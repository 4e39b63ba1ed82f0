import { type ErasedGap, erasedGaps, hasLineBreak, isBlank } from './erased-gaps.js'

/** What a statement or a class member can begin with and an expression can go on with. */
const CONTINUATION = /^(?:[([`/+\-*]|(?:in|instanceof)\b)/
/** A class member's name that turns into a modifier before another name. */
const MODIFIER = /(?<![\w$])(?:get|set|static|async|accessor)$/

/**
 * Undoes what erasing can do to statements and class members that only a `;` or a line end set apart: a `;` that swc
 * blanked out with a type is put back. `undefined` where only a reprint of the program keeps them apart for sure.
 */
export const keepApart = (source: string, stripped: string): string | undefined => {
  const semicolons: number[] = []
  for (const gap of erasedGaps(source, stripped)) {
    const end = source.charAt(gap.last)
    if (!mayJoin(stripped, gap, end)) continue
    if (end !== ';') return undefined
    semicolons.push(gap.last)
  }
  return putSemicolons(stripped, semicolons)
}

const putSemicolons = (stripped: string, indexes: readonly number[]): string => {
  const starts = [0, ...indexes.map((index) => index + 1)]
  return starts.map((start, nth) => stripped.slice(start, indexes[nth])).join(';')
}

/** `erasedEnd` is the last character that was erased: a `}` can end a declaration without a line break or a `;`. */
const mayJoin = (stripped: string, gap: ErasedGap, erasedEnd: string): boolean => {
  const before = lastKept(stripped, gap.first)
  if (!hasLineBreak(stripped, before + 1, gap.end) || isClosed(stripped, before)) return false
  const isParted = gap.hasLineBreakAfter || erasedEnd === ';'
  if (CONTINUATION.test(stripped.slice(gap.end, gap.end + 11))) return isParted || erasedEnd === '}'
  return isParted && gap.end < stripped.length && MODIFIER.test(stripped.slice(Math.max(0, before - 9), before + 1))
}

/** The index of the last kept character up to `at`, -1 if there is none. swc may have put a `;` at `at` itself. */
const lastKept = (stripped: string, at: number): number => {
  let index = at
  while (index >= 0 && isBlank(stripped, index)) index -= 1
  return index
}

/** Whether a statement ends or a block begins there. On a line with comments nothing is sure. */
const isClosed = (stripped: string, at: number): boolean => {
  if (at < 0) return true
  if (!';{'.includes(stripped.charAt(at))) return false
  const line = stripped.slice(stripped.lastIndexOf('\n', at) + 1, at)
  return !/\/[/*]|\*\//.test(line)
}
