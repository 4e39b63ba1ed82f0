/** What swc blanked out between two things that it kept, comments and blanks around it included. */
export interface ErasedGap {
  /** The first and the last unit that was blanked out. */
  readonly first: number
  readonly last: number
  /** Where the kept text goes on. */
  readonly end: number
  /** Whether a line ends between the last unit and the end. */
  readonly hasLineBreakAfter: boolean
}

/** `stripped` is `source` with some of its units blanked out or replaced, position by position. */
export function* erasedGaps(source: string, stripped: string): Generator<ErasedGap> {
  for (let at = 0; at < source.length; at += 1) {
    if (source.charCodeAt(at) === stripped.charCodeAt(at) || isBlank(source, at)) continue
    const gap = gapAt(source, stripped, at)
    yield gap
    at = Math.max(at, gap.end - 1)
  }
}

const gapAt = (source: string, stripped: string, first: number): ErasedGap => {
  let last = first
  let at = first + 1
  for (let next = skipped(stripped, at); next > at; next = skipped(stripped, at)) {
    if (isBlank(stripped, at) && !isBlank(source, at)) last = at
    at = next
  }
  return { first, last, end: at, hasLineBreakAfter: hasLineBreak(stripped, last + 1, at) }
}

/** The index after a blank or a comment that begins here. */
const skipped = (text: string, at: number): number => {
  if (text.startsWith('//', at)) return lineEnd(text, at)
  if (text.startsWith('/*', at)) return text.indexOf('*/', at) + 2
  return at < text.length && isBlank(text, at) ? at + 1 : at
}

const lineEnd = (text: string, at: number): number => {
  let end = at
  while (end < text.length && !hasLineBreak(text, end, end + 1)) end += 1
  return end
}

export const hasLineBreak = (text: string, start: number, end: number): boolean =>
  /[\n\r\u2028\u2029]/.test(text.slice(start, end))

export const isBlank = (text: string, at: number): boolean => /\s/.test(text.charAt(at))
