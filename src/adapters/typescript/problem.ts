import { stripVTControlCharacters } from 'node:util'
import { sourceExcerpt } from '../../domain/source-excerpt.js'
import type { Position } from '../../domain/source-map.js'
import { scriptLines } from './lines.js'

/** Why a program is refused, and where. */
export interface Problem {
  readonly text: string
  readonly position?: Position
}

export const TOO_DEEP = 'The program is nested too deeply to be parsed'
const MAX_TEXT = 500

export const problemAt = (text: string, program: string, offset: number): Problem => {
  const position = scriptLines(program).position(Math.min(offset, lastVisible(program)))
  return { text, position }
}

export const lastVisible = (program: string): number => program.trimEnd().length

/** The diagnostic that the model reads. */
export const describeProblem = ({ text, position }: Problem, program: string): string => {
  const headline = `SyntaxError: ${shorten(stripVTControlCharacters(text).trim())}`
  if (position === undefined) return headline
  const { line, column } = position
  return `${headline}\n    at <model>:${line}:${column}\n${sourceExcerpt(program, line, column)}`
}

const shorten = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text)
