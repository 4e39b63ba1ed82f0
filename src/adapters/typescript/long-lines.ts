/** swc panics when it has to show an error beyond this column. */
const MAX_COLUMN = 65_535
const SEPARATOR =
  /"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'|`[^`\\]*(?:\\[\s\S][^`\\]*)*`|\/\/.*|\/\*[\s\S]*?\*\/|[,;{]/g

export interface BrokenLines {
  readonly text: string
  originalOffset(offset: number): number
}

export const hasLongLine = (source: string): boolean => source.split(/[\n\r]/).some(({ length }) => length > MAX_COLUMN)

/** The program with a line end after each separator outside of strings, templates and comments. */
export const breakLines = (source: string): BrokenLines => {
  const breaks: number[] = []
  const text = source.replace(SEPARATOR, (token, at) => {
    if (token.length > 1) return token
    breaks.push(at + 1 + breaks.length)
    return `${token}\n`
  })
  return { text, originalOffset: (offset) => offset - breaks.filter((at) => at < offset).length }
}
