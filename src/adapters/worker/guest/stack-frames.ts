import type { SourceMap } from '../../../domain/source-map.js'

/** What the model wrote, and how the code that runs maps to it. */
export interface ProgramSource {
  readonly source: string
  readonly map: SourceMap | undefined
  /** Lines of `<model>` above the program's own. */
  readonly linesAbove: number
}

export interface ProgramFrame {
  readonly text: string
  readonly line: number
  readonly column: number
}

const MAX_FRAMES = 10
const POSITION = /<model>:(\d+):(\d+)/

/** The frames of a V8 stack that are the program's own, at the positions of its own text. */
export const programFrames = (stack: string, { map, source, linesAbove }: ProgramSource): ProgramFrame[] => {
  const lineCount = source.split('\n').length
  return stack
    .split('\n')
    .filter((line) => line.startsWith('    at ') && POSITION.test(line))
    .map((line) => toProgramFrame(line, linesAbove, map))
    .filter((frame) => frame.line > 0 && frame.line <= lineCount)
    .slice(0, MAX_FRAMES)
}

const toProgramFrame = (text: string, linesAbove: number, map: SourceMap | undefined): ProgramFrame => {
  const [place = '', line = '0', column = '0'] = POSITION.exec(text) ?? []
  const generated = { line: Number(line) - linesAbove, column: Number(column) }
  const original = map?.original(generated.line, generated.column) ?? generated
  return { ...original, text: text.replace(place, `<model>:${original.line}:${original.column}`) }
}
