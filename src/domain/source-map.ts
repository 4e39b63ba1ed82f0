export interface Position {
  readonly line: number
  readonly column: number
}

/** One mapping: a position of the code, and the position of the source that it comes from. */
export interface Segment extends Position {
  readonly original: Position
}

/** All positions count from 1. */
export interface SourceMap {
  readonly source: string
  original(line: number, column: number): Position | undefined
}

const URL = '//# sourceMappingURL=data:application/json;base64,'
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The map that is the last line of `code`, if there is one. */
export const readInlineSourceMap = (code: string): SourceMap | undefined => {
  const lastLine = code.slice(code.lastIndexOf('\n') + 1)
  if (!lastLine.startsWith(URL)) return undefined
  try {
    return toSourceMap(JSON.parse(decodeBase64(lastLine.slice(URL.length))))
  } catch {
    return undefined
  }
}

const toSourceMap = (map: { sourcesContent: [string]; mappings: string }): SourceMap => {
  const [source] = map.sourcesContent
  const segments = decodeMappings(map.mappings)
  return { source, original: (line, column) => findOriginal(segments, { line, column }) }
}

/** The last segment at or before the column; left of the first one, that one. */
export const findOriginal = (segments: readonly Segment[], { line, column }: Position): Position | undefined => {
  const row = segments.filter((segment) => segment.line === line)
  return (row.findLast((segment) => segment.column <= column) ?? row[0])?.original
}

export const decodeMappings = (mappings: string): Segment[] => {
  const segments: Segment[] = []
  const original = { line: 1, column: 1 }
  for (const [index, row] of mappings.split(';').entries()) {
    let column = 1
    for (const text of row.split(',')) {
      const [columns = 0, source, lines = 0, originalColumns = 0] = decodeNumbers(text)
      column += columns
      original.line += lines
      original.column += originalColumns
      if (source !== undefined) segments.push({ line: index + 1, column, original: { ...original } })
    }
  }
  return segments
}

/** Base 64 VLQ: five bits a digit, the lowest first, the sign in the lowest bit of all. */
const decodeNumbers = (text: string): number[] => {
  const numbers: number[] = []
  let bits = 0
  let width = 0
  for (const character of text) {
    const digit = DIGITS.indexOf(character)
    bits |= (digit & 31) << width
    width += 5
    if (digit >= 32) continue
    numbers.push(bits & 1 ? -(bits >>> 1) : bits >>> 1)
    bits = 0
    width = 0
  }
  return numbers
}

// The realm that reads maps has no host functions, hence neither Buffer nor atob.
const decodeBase64 = (text: string): string => {
  let utf8 = ''
  let bits = 0
  let width = 0
  for (const character of text.replace(/=+$/, '')) {
    bits = (bits << 6) | DIGITS.indexOf(character)
    width += 6
    if (width < 8) continue
    width -= 8
    utf8 += percentEncoded((bits >> width) & 255)
    bits &= (1 << width) - 1
  }
  return decodeURIComponent(utf8)
}

const percentEncoded = (byte: number): string => {
  const isPlain = byte < 128 && byte !== 37
  return isPlain ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, '0')}`
}
