import type { NamespaceDeclaration } from '../../../domain/frame.js'
import { nearestFirst } from '../../../domain/spelling.js'
import type { MissedMember } from './namespace-calls.js'

export interface HintContext {
  readonly message: string
  readonly source: string
  /** The line that failed, from 1. */
  readonly line: number | undefined
  readonly namespaces: readonly NamespaceDeclaration[]
  readonly misses: readonly MissedMember[]
}

/** What the model should know besides the error itself. */
export const hintsFor = (context: HintContext): string[] =>
  [unknownMember(context), missingAwait(context), missingRequire(context)].filter((hint) => hint !== undefined)

/** Longer lines are no place to look for a hint: the patterns take quadratic time. */
const MAX_LINE_CHARS = 500

const NOT_A_FUNCTION = /^(?:(.*) is )?not a function$/s

const unknownMember = ({ message, source, line, misses, namespaces }: HintContext): string | undefined => {
  const matched = NOT_A_FUNCTION.exec(message)
  if (matched === null) return undefined
  const [, callee] = matched
  const failing = linesOf(source, line).join('\n')
  // QuickJS does not say what was called.
  const isMissed = ({ global, name }: MissedMember): boolean =>
    callee === undefined ? failing.includes(name) : isCallTo(callee, global, name)
  const miss = misses.find(isMissed)
  return miss && declaredMembers(miss, namespaces)
}

// V8 prints the callee as it is written: `tools.x`, `tools[name]`, `x` after destructuring, `(intermediate value)`.
const isCallTo = (callee: string, global: string, name: string): boolean =>
  callee === name ||
  callee.endsWith(`${global}.${name}`) ||
  callee.includes(`${global}[`) ||
  callee.endsWith(`.${name}`)

const declaredMembers = ({ global, name }: MissedMember, namespaces: readonly NamespaceDeclaration[]): string => {
  const names = namespaces.find((declaration) => declaration.global === global)?.names ?? []
  const listed = nearestFirst(name, names).join(', ')
  return `${global} has no member ${JSON.stringify(name)}. It has: ${listed === '' ? 'none' : listed}`
}

const missingRequire = ({ message }: HintContext): string | undefined =>
  message === 'require is not defined' ? `load a module with: const fs = await import('node:fs')` : undefined

/** A binding call whose promise is used as if it were the value: in the failing line, or in a variable used there. */
export const missingAwait = ({
  source,
  line,
  namespaces,
}: Omit<HintContext, 'message' | 'misses'>): string | undefined => {
  const lines = linesOf(source)
  const failing = linesOf(source, line)
  for (const { global } of namespaces) {
    const unawaited = failing.find((text) => isUsedUnawaited(text, global))
    if (unawaited !== undefined) return awaitHint(`a call of ${global} gives a Promise`)
    const variable = unawaitedVariables(lines, global).find((name) => failing.some((text) => usesValueOf(text, name)))
    if (variable !== undefined) return awaitHint(`\`${variable}\` is the Promise of a call of ${global}`)
  }
  return undefined
}

/** All lines, or the one that failed; long ones are left out. */
const linesOf = (source: string, line?: number): string[] => {
  const lines = source.split('\n').map((text) => (text.length > MAX_LINE_CHARS ? '' : text))
  return line === undefined ? lines : lines.slice(line - 1, line)
}

const awaitHint = (fact: string): string => `${fact}: did you forget \`await\`?`

const isUsedUnawaited = (text: string, global: string): boolean =>
  new RegExp(
    `\\bof\\s+${global}\\s*[.[]|(?<!await\\s+)\\b${global}\\s*\\.\\s*\\w+\\([^()]*\\)\\s*(?:\\.(?!then|catch|finally)\\w|\\[)`,
  ).test(text)

const unawaitedVariables = (lines: readonly string[], global: string): string[] => {
  const declaration = new RegExp(`(?:const|let|var)\\s+(\\w+)[^=]*=\\s*${global}\\s*[.[]`)
  return lines.flatMap((text) => declaration.exec(text)?.[1] ?? [])
}

const usesValueOf = (text: string, name: string): boolean =>
  new RegExp(
    `(?<!await\\s+)\\b${name}\\s*(?:\\.(?!then|catch|finally)\\w|\\[)|\\bof\\s+${name}\\b|\\.\\.\\.${name}\\b`,
  ).test(text)
