const MAX_SHOWN = 160
const CONTROLS = /(?!\t)\p{Cc}/gu

/** The line with its number and a caret under the column; both count from 1, in UTF-16 units. '' without such a line. */
export const sourceExcerpt = (source: string, line: number, column?: number): string => {
  const text = sourceLine(source, line)
  if (text === undefined) return ''
  const gutter = `${line} | `
  const caret = wholeCharacter(text, Math.min(Math.max(column ?? 1, 1) - 1, text.length))
  const { before, after } = cut(text, caret)
  if (column === undefined) return gutter + before + after
  return `${gutter}${before}${after}\n${' '.repeat(gutter.length)}${before.replace(/[^\t]/g, ' ')}^`
}

const sourceLine = (source: string, line: number): string | undefined => {
  if (!Number.isInteger(line) || line < 1) return undefined
  const breaks = /\r\n|[\n\r\u2028\u2029]/g
  let start = 0
  for (let current = 1; current < line; current += 1) {
    if (breaks.exec(source) === null) return undefined
    start = breaks.lastIndex
  }
  return source.slice(start, breaks.exec(source)?.index)
}

const cut = (text: string, caret: number): { before: string; after: string } => {
  const from = text.length > MAX_SHOWN ? Math.max(0, Math.min(caret - MAX_SHOWN / 2, text.length - MAX_SHOWN)) : 0
  const to = Math.min(text.length, from + MAX_SHOWN)
  const head = from === 0 ? '' : '…'
  const tail = to === text.length ? '' : '…'
  return {
    before: head + printable(text.slice(wholeCharacter(text, from + head.length), caret)),
    after: printable(text.slice(caret, wholeCharacter(text, to - tail.length))) + tail,
  }
}

/** One unit for one unit, so that columns stay true. */
const printable = (text: string): string => text.replace(CONTROLS, '\uFFFD')

const wholeCharacter = (text: string, at: number): number => (isSplit(text, at) ? at - 1 : at)

const isSplit = (text: string, at: number): boolean =>
  /[\uDC00-\uDFFF]/.test(text.charAt(at)) && /[\uD800-\uDBFF]/.test(text.charAt(at - 1))
