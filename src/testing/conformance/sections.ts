import type { ConformanceCase } from './case.js'
import { ABORT_DISPOSE_CASES } from './cases/abort-dispose.js'
import { ACCOUNT_CASES } from './cases/account.js'
import { BINDING_CASES } from './cases/bindings.js'
import { BUDGET_CASES } from './cases/budgets.js'
import { HOSTILE_GUEST_CASES } from './cases/hostile-guest.js'
import { LOG_CASES } from './cases/logs.js'
import { LOSSLESS_CASES } from './cases/lossless.js'
import { OUTCOME_CASES } from './cases/outcomes.js'
import { OUTPUT_LIMIT_CASES } from './cases/output-limits.js'
import { SEMANTICS_CASES } from './cases/semantics.js'
import { TEARDOWN_CASES } from './cases/teardown.js'

/** The parts of the contract that cases can show. */
export const SECTIONS = {
  1: 'The runtime and its limits',
  2: 'Outcomes and requests',
  3: 'Program semantics',
  4: 'Bindings',
  5: 'Lossless JSON',
  6: 'Logs',
  7: 'Values and diagnostics over budget',
  8: 'Budgets',
  9: 'Abort and dispose',
  10: 'A hostile guest',
  11: 'Teardown',
  13: 'The account of a run',
} as const

export type SectionNumber = keyof typeof SECTIONS

const chapterOf = (section: string): number => Number(section.split('.')[0])

/** Every case, by chapter. */
export const CASES: readonly ConformanceCase[] = [
  ...OUTCOME_CASES,
  ...SEMANTICS_CASES,
  ...BINDING_CASES,
  ...LOSSLESS_CASES,
  ...LOG_CASES,
  ...OUTPUT_LIMIT_CASES,
  ...BUDGET_CASES,
  ...ABORT_DISPOSE_CASES,
  ...HOSTILE_GUEST_CASES,
  ...TEARDOWN_CASES,
  ...ACCOUNT_CASES,
].toSorted((a, b) => chapterOf(a.section) - chapterOf(b.section))

/** Whether a rule is the one asked for, or within it: 6.1 is within 6. */
export const isWithin = (section: string, asked: string): boolean =>
  section === asked || section.startsWith(`${asked}.`)

export const sectionTitle = (section: string): string => {
  const chapter = chapterOf(section)
  return `${chapter} ${SECTIONS[chapter as SectionNumber]}`
}
