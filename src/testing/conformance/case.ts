import type { Limits } from '../../domain/limits.js'
import type { RunResult } from '../../domain/outcome.js'
import type { BindingNamespace, RunRequest } from '../../domain/request.js'
import type { CodeRuntime } from '../../runtime.js'
import type { Capability, Requirement } from './capabilities.js'

/** The same behaviour in each language. Plain ECMAScript is under `javascript`, for TypeScript backends as well. */
export type Programs = Readonly<Partial<Record<string, string>>>

/** One rule of the contract, as a program and what must come of it. */
export interface ConformanceCase {
  /** The rule, `6.1` for instance. */
  readonly section: string
  /** A fact. With the section it is the case's id. */
  readonly title: string
  /** Absent: the case needs no program of its own. */
  readonly programs?: Programs
  readonly requires?: readonly Requirement[]
  /** Budgets of the runtime in which it runs. */
  readonly limits?: Limits | ((declared: ReadonlySet<Capability>) => Limits)
  /** Public reports of the same fault elsewhere. */
  readonly reports?: readonly string[]
  /** Rejects when the rule does not hold. */
  run(context: CaseContext): Promise<void>
}

export interface CaseRequest extends Omit<RunRequest, 'program' | 'bindings'> {
  readonly program?: string
  /** Members of one namespace, `tools`. Absent: `TOOLS`. */
  readonly tools?: BindingNamespace['functions']
  readonly bindings?: readonly BindingNamespace[]
}

/** What a case finds when it runs. */
export interface CaseContext {
  /** The case's program in the language of the backend; the empty text if it has none. */
  readonly program: string
  readonly language: string
  readonly declared: ReadonlySet<Capability>
  /** Runs the program in a runtime with the case's limits, or with these. */
  run(request?: CaseRequest, limits?: Limits): Promise<RunResult>
  /** A runtime of the case's own. It is disposed after the case. */
  create(options?: RuntimeOptions): Promise<CodeRuntime>
}

export interface RuntimeOptions {
  readonly limits?: Limits
  /** Only for a backend that declares `prepared-guests`. */
  readonly warm?: number
}

export const idOf = ({ section, title }: Pick<ConformanceCase, 'section' | 'title'>): string => `${section} ${title}`
