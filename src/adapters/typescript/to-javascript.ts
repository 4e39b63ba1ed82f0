import { findOriginal, type Segment } from '../../domain/source-map.js'
import { compileTypes } from './compile.js'
import { CompilerThread } from './compiler-thread.js'
import type { Failure, Mode } from './compiler-worker.js'
import { explain } from './explain.js'
import { withMap } from './inline-map.js'
import { hideLoneSurrogates } from './lone-surrogates.js'
import { hasLongLine } from './long-lines.js'
import { type Problem, TOO_DEEP } from './problem.js'
import { withHint } from './v8-hints.js'
import { checkFunctionBody } from './v8-syntax.js'

export type JavaScript = { readonly code: string } | { readonly problem: Problem }

const MAX_LENGTH = 16_000_000
const TEXTS: Record<Failure, string> = {
  panic: 'The TypeScript compiler fails on this program',
  overflow: TOO_DEEP,
  overdue: 'The program could not be parsed in time: nest fewer brackets, type arguments and arrow functions',
}

/** One for the process, as any loaded module is. It starts with the first program that needs it. */
const thread = new CompilerThread()

/** Ends the thread, until the next program that needs it. */
export const stopCompiler = (): Promise<void> => thread.stop()

const compile = (source: string, mode: Mode) => thread.compile(source, mode)

export const toJavaScript = async (program: string): Promise<JavaScript> => {
  if (program.length > MAX_LENGTH) return { problem: { text: `The program is longer than ${MAX_LENGTH} characters` } }
  const { source, reveal, revealEscapes } = hideLoneSurrogates(program)
  const compilation = await compileTypes(source, compile)
  if ('failure' in compilation) return { problem: await failureProblem(compilation.failure, source) }
  if ('refusal' in compilation) {
    const { text, ...place } = await explain(compilation, source, compile)
    return { problem: { text: revealEscapes(text), ...place } }
  }
  const { body, segments } = compilation.compiled
  return checked(program, reveal(body), segments)
}

/** V8 reads lines of any length, and stops at the first type. */
const failureProblem = async (failure: Failure, source: string): Promise<Problem> => {
  const found = failure === 'panic' && hasLongLine(source) ? await checkFunctionBody(source) : undefined
  return found ?? { text: TEXTS[failure] }
}

const checked = async (program: string, body: string, segments: readonly Segment[]): Promise<JavaScript> => {
  const problem = await checkFunctionBody(body)
  if (problem !== undefined) return { problem: atSource(withHint(problem, body), segments) }
  return { code: withMap(body, program, segments) }
}

const atSource = ({ text, position }: Problem, segments: readonly Segment[]): Problem => {
  const original = position && (findOriginal(segments, position) ?? position)
  return original === undefined ? { text } : { text, position: original }
}
