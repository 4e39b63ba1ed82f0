import { decodeMappings, type Position, type Segment } from '../../domain/source-map.js'
import { type Lines, scriptLines, swcOutputLines, swcSourceLines } from './lines.js'

export interface Rebasing {
  readonly mappings: string
  /** The body that swc printed, and the one that it read, both without the wrapper's line. */
  readonly code: string
  readonly source: string
}

/** swc's mappings of the wrapped texts as those of the texts themselves, by ECMAScript's idea of a line. */
export const rebase = ({ mappings, code, source }: Rebasing): Segment[] => {
  const inCode = recount(swcOutputLines(code), scriptLines(code))
  const inSource = recount(swcSourceLines(source), scriptLines(source))
  return decodeMappings(mappings)
    .filter(({ line, original }) => line > 1 && original.line > 1)
    .map((segment) => ({ ...inCode(segment), original: inSource(segment.original) }))
}

const recount =
  (from: Lines, to: Lines) =>
  ({ line, column }: Position): Position =>
    to.position(from.offset({ line: line - 1, column }))
