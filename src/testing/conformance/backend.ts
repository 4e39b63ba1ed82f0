import type { CodeRuntime } from '../../runtime.js'
import type { Capability } from './capabilities.js'
import type { ConformanceCase, Programs, RuntimeOptions } from './case.js'
import { idOf } from './case.js'

/** A backend as the suite sees it. */
export interface ConformanceBackend {
  /** A fresh runtime with these limits. `warm` is given only if `prepared-guests` is declared. */
  create(options: RuntimeOptions): Promise<CodeRuntime>
  /** The language of its programs, as `Launcher.language` says it. */
  readonly language: string
  /** What it has beyond what every backend owes. */
  readonly capabilities: readonly Capability[]
  /** Languages of the suite whose programs it takes as well. 'typescript' takes those of 'javascript' by itself. */
  readonly accepts?: readonly string[]
  /** Programs in a language of its own, by the id of the case. They come before those of the suite. */
  readonly programs?: Programs
}

const ALSO_ACCEPTED: Readonly<Record<string, readonly string[]>> = { typescript: ['javascript'] }

/** The program of a case for a backend. Undefined when there is none; a case without programs has the empty one. */
export const programFor = (one: ConformanceCase, backend: ConformanceBackend): string | undefined => {
  const own = backend.programs?.[idOf(one)]
  if (own !== undefined) return own
  if (one.programs === undefined) return ''
  const { language, accepts = [] } = backend
  const languages = [language, ...(ALSO_ACCEPTED[language] ?? []), ...accepts]
  return languages.map((name) => one.programs?.[name]).find((program) => program !== undefined)
}
