import type { Segment } from '../../domain/source-map.js'

const URL = '//# sourceMappingURL='
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The code, with the program's text and the map to it as its last line where the two differ. */
export const withMap = (code: string, program: string, segments: readonly Segment[] = []): string => {
  if (code !== program) return `${code}\n${URL}data:application/json;base64,${encodeMap(program, segments)}`
  // A map that the program itself ends with is a comment like any other.
  return program.slice(program.lastIndexOf('\n') + 1).startsWith(URL) ? `${program}\n` : program
}

const encodeMap = (program: string, segments: readonly Segment[]): string => {
  const mappings = encodeMappings(segments)
  const map = { version: 3, sources: ['<model>'], sourcesContent: [program], names: [], mappings }
  return Buffer.from(JSON.stringify(map)).toString('base64')
}

const encodeMappings = (segments: readonly Segment[]): string => {
  let mappings = ''
  let last: Segment = { line: 1, column: 1, original: { line: 1, column: 1 } }
  for (const segment of segments) {
    const lines = segment.line - last.line
    mappings += lines > 0 ? ';'.repeat(lines) : mappings && ','
    mappings += encodeSegment(segment, lines > 0 ? { ...last, column: 1 } : last)
    last = segment
  }
  return mappings
}

const encodeSegment = ({ column, original }: Segment, last: Segment): string =>
  [column - last.column, 0, original.line - last.original.line, original.column - last.original.column]
    .map(encodeNumber)
    .join('')

const encodeNumber = (value: number): string => {
  let digits = ''
  let rest = value < 0 ? (-value << 1) | 1 : value << 1
  do {
    const digit = rest & 31
    rest >>>= 5
    digits += DIGITS.charAt(rest > 0 ? digit | 32 : digit)
  } while (rest > 0)
  return digits
}
