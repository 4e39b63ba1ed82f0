import type { Segment } from '../../domain/source-map.js'
import type { Answer, Mode, Refusal } from './compiler-worker.js'
import { keepApart } from './keep-apart.js'
import { rebase } from './rebase.js'
import { unwrapPrinted, unwrapStripped, wrap } from './wrapper.js'

export type Compile = (source: string, mode: Mode) => Promise<Answer>

export interface Compiled {
  readonly body: string
  /** From the body's positions to the source's, where they differ. */
  readonly segments: readonly Segment[]
}

export type Compilation =
  | { readonly compiled: Compiled }
  | { readonly refusal: Refusal }
  | { readonly failure: 'crash' | 'overdue' | 'unbalanced' }

/** Blanks the types out; prints the program anew only when it holds syntax that has to be translated. */
export const compileTypes = async (source: string, compile: Compile): Promise<Compilation> => {
  const answer = await compile(wrap(source), 'strip-only')
  if ('output' in answer) {
    const body = keepApart(source, unwrapStripped(answer.output.code))
    return body === undefined ? translate(source, compile) : { compiled: { body, segments: [] } }
  }
  return isUnsupported(answer) ? translate(source, compile) : answer
}

const isUnsupported = (answer: Answer): boolean => 'refusal' in answer && answer.refusal.code === 'UnsupportedSyntax'

const translate = async (source: string, compile: Compile): Promise<Compilation> => {
  const answer = await compile(wrap(source), 'transform')
  if (!('output' in answer)) return answer
  const body = unwrapPrinted(answer.output.code)
  if (body === undefined) return { failure: 'unbalanced' }
  const { mappings } = JSON.parse(answer.output.map ?? '')
  return { compiled: { body, segments: rebase({ mappings, code: body, source }) } }
}
