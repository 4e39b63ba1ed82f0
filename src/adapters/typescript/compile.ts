import type { Segment } from '../../domain/source-map.js'
import type { Answer, Failure, Mode, Refusal } from './compiler-worker.js'
import { keepApart } from './keep-apart.js'
import { type BrokenLines, breakLines, hasLongLine } from './long-lines.js'
import { rebase } from './rebase.js'
import { unwrapPrinted, unwrapStripped, wrapForPrint, wrapForStrip } from './wrapper.js'

export type Compile = (source: string, mode: Mode) => Promise<Answer>

export interface Compiled {
  readonly body: string
  /** From the body's positions to the source's, where they differ. */
  readonly segments: readonly Segment[]
}

export interface Refused {
  readonly refusal: Refusal
  /** What was read instead of the source. */
  readonly readAs?: BrokenLines
}

export type Compilation = { readonly compiled: Compiled } | Refused | { readonly failure: Failure }

/** Blanks the types out; prints the program anew only when it holds syntax that has to be translated. */
export const compileTypes = async (source: string, compile: Compile): Promise<Compilation> => {
  const answer = await compile(wrapForStrip(source), 'strip-only')
  if ('output' in answer) {
    const body = keepApart(source, unwrapStripped(answer.output.code))
    return body === undefined ? translate(source, compile) : { compiled: { body, segments: [] } }
  }
  if (isPanic(answer) && hasLongLine(source)) return compileLongLines(source, compile)
  return isUnsupported(answer) ? translate(source, compile) : answer
}

const isUnsupported = (answer: Answer): boolean => 'refusal' in answer && answer.refusal.code === 'UnsupportedSyntax'

const isPanic = (answer: Answer): boolean => 'failure' in answer && answer.failure === 'panic'

/** Learns from the same program with shorter lines what the error is. */
const compileLongLines = async (source: string, compile: Compile): Promise<Compilation> => {
  const readAs = breakLines(source)
  const answer = await compile(wrapForStrip(readAs.text), 'strip-only')
  if ('output' in answer || isUnsupported(answer)) return translate(source, compile)
  return 'refusal' in answer ? { ...answer, readAs } : answer
}

const translate = async (source: string, compile: Compile): Promise<Compilation> => {
  const answer = await compile(wrapForPrint(source), 'transform')
  if (!('output' in answer)) return answer
  const body = unwrapPrinted(answer.output.code)
  const { mappings } = JSON.parse(answer.output.map ?? '')
  return { compiled: { body, segments: rebase({ mappings, code: body, source }) } }
}
