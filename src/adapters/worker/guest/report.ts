import type { Refused } from '../../../domain/json/codec.js'
import { sourceExcerpt } from '../../../domain/source-excerpt.js'
import { readInlineSourceMap } from '../../../domain/source-map.js'
import { type ErrorLink, errorLinks, MAX_LINKS } from './error-links.js'
import { hintsFor, missingAwait } from './hints.js'
import type { NamespaceCalls } from './namespace-calls.js'
import { classNameOf, safeRead } from './safe-read.js'
import type { RealmServices } from './services.js'
import { type ProgramSource, programFrames } from './stack-frames.js'

const UNRENDERABLE = 'unrenderable value'

export interface Reporter {
  /** The code that runs; with an inline source map where it is not the model's own text. */
  program: string
  /** An uncaught error, for the model that wrote the program. Never throws. */
  describe(error: unknown): string
  completionHint(refused: Refused): string
}

export const createReporter = (realm: RealmServices, calls: NamespaceCalls): Reporter => {
  const reporter: Reporter = {
    program: '',
    describe: (error) => {
      try {
        return describeLinks(error, (link) => describeLink(link, realm, calls, sourceOf(reporter.program, realm)))
      } catch {
        return `${classNameOf(error)}: ${UNRENDERABLE}`
      }
    },
    completionHint: ({ reason }) => {
      const { namespaces } = calls
      const { source } = sourceOf(reporter.program, realm)
      const hint = reason.includes('Promise') ? undefined : missingAwait({ source, line: undefined, namespaces })
      return hint === undefined ? '' : `\nhint: ${hint}`
    },
  }
  return reporter
}

const sourceOf = (program: string, { linesAbove = 0 }: RealmServices): ProgramSource => {
  const map = readInlineSourceMap(program)
  return { map, source: map?.source ?? program, linesAbove }
}

const describeLinks = (error: unknown, describe: (link: ErrorLink) => string): string => {
  const { links, isCut } = errorLinks(error)
  const parts = links.map((link) => link.relation + describe(link))
  return [...parts, ...(isCut ? [`… chain truncated at ${MAX_LINKS} links`] : [])].join('\n')
}

const describeLink = (
  { error }: ErrorLink,
  realm: RealmServices,
  calls: NamespaceCalls,
  program: ProgramSource,
): string => {
  if (!realm.isError(error)) return describeThrown(error, realm)
  const stack = safeRead(error, 'stack')
  if (stack !== undefined && typeof stack !== 'string') return textOf(stack)
  const frames = programFrames(stack ?? '', program)
  const [top] = frames
  const message = messageOf(error, realm.cwd)
  const hints = hintsFor({
    message,
    source: program.source,
    line: top?.line,
    namespaces: calls.namespaces,
    misses: calls.misses,
  })
  return [
    header(error, message),
    ...frames.map((frame) => frame.text),
    ...(top === undefined ? [] : [sourceExcerpt(program.source, top.line, top.column)]),
    ...hints.map((hint) => `hint: ${hint}`),
  ]
    .filter((line) => line !== '')
    .join('\n')
}

const header = (error: unknown, message: string): string => {
  const name = safeRead(error, 'name')
  const className = classNameOf(error)
  const isPlainName = typeof name !== 'string' || name === '' || name === 'Error'
  const shown = isPlainName ? className : name
  return message === '' ? shown : `${shown}: ${message}`
}

// Node's loader says in its errors from which folder of the host it looked.
const IMPORTED_FROM = / imported from .*$/s

const messageOf = (error: unknown, cwd: string): string => {
  const message = safeRead(error, 'message')
  if (typeof message === 'string' && IMPORTED_FROM.test(message)) {
    return message.replace(IMPORTED_FROM, '').replaceAll(`${cwd}/`, './')
  }
  if (typeof message === 'string') return message
  return message === undefined ? UNRENDERABLE : textOf(message)
}

const describeThrown = (thrown: unknown, realm: RealmServices): string => {
  if (typeof thrown !== 'object' || thrown === null) return textOf(thrown)
  const text = textOf(thrown)
  if (text === UNRENDERABLE) return `${classNameOf(thrown)}: ${UNRENDERABLE}`
  return text.startsWith('[object ') ? realm.inspect(thrown) : text
}

const textOf = (value: unknown): string => {
  try {
    return String(value)
  } catch {
    return UNRENDERABLE
  }
}
