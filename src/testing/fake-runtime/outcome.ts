import { ConfigurationError } from '../../domain/errors.js'
import type { FakeFailure, FakeScript } from './fake-run.js'

/** What becomes of the programs that it is for. Of `value`, `error` and `run` one at most. */
export interface FakeOutcome {
  /** For which programs: the exact text, a pattern, or a test of the text; without it for every one. */
  readonly program?: string | RegExp | ((program: string) => boolean)
  /** For how many runs, from 1; without it for any number. */
  readonly times?: number
  /** Lines that are printed first. */
  readonly logs?: readonly string[]
  /** What the program returns. */
  readonly value?: unknown
  /** How it fails; a text is an `exception`. */
  readonly error?: string | FakeFailure
  readonly run?: FakeScript
}

export const requireOutcome = (outcome: FakeOutcome): FakeOutcome => {
  const given = (['value', 'error', 'run'] as const).filter((name) => Object.hasOwn(outcome, name))
  if (given.length > 1) {
    throw new ConfigurationError(`Expected an outcome to have one of value, error and run, got ${given.join(' and ')}`)
  }
  return outcome
}

export const isFor = ({ program: wanted }: FakeOutcome, program: string): boolean => {
  if (wanted === undefined) return true
  if (typeof wanted === 'string') return wanted === program
  return typeof wanted === 'function' ? wanted(program) : program.search(wanted) !== -1
}

export const scriptOf =
  ({ logs = [], value, error, run: script }: FakeOutcome): FakeScript =>
  (run) => {
    for (const line of logs) run.print(line)
    if (error !== undefined) return run.fail(typeof error === 'string' ? { kind: 'exception', message: error } : error)
    return script === undefined ? value : script(run)
  }
