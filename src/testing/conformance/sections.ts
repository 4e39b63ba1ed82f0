import type { ConformanceCase } from './case.js'
import { ABORT_CASES } from './cases/abort.js'
import { ACCOUNT_CASES } from './cases/account.js'
import { ARGUMENT_CASES } from './cases/arguments.js'
import { BUDGET_CASES } from './cases/budgets.js'
import { CALL_CASES } from './cases/calls.js'
import { CONSOLE_CASES } from './cases/console.js'
import { CREATION_CASES } from './cases/creation.js'
import { DISPOSE_CASES } from './cases/dispose.js'
import { ENDLESS_CASES } from './cases/endless.js'
import { FORGED_FRAME_CASES } from './cases/forged-frames.js'
import { FORGED_TRAFFIC_CASES } from './cases/forged-traffic.js'
import { LOG_BUDGET_CASES } from './cases/log-budget.js'
import { LOG_LINE_CASES } from './cases/log-lines.js'
import { LOSSLESS_CASES } from './cases/lossless.js'
import { OUTCOME_CASES } from './cases/outcomes.js'
import { OUTPUT_LIMIT_CASES } from './cases/output-limits.js'
import { PYTHON_CASES } from './cases/python.js'
import { REJECTION_CASES } from './cases/rejections.js'
import { SEMANTICS_CASES } from './cases/semantics.js'
import { TEARDOWN_CASES } from './cases/teardown.js'
import { TYPESCRIPT_CASES } from './cases/typescript.js'
import { UNCAUGHT_CASES } from './cases/uncaught.js'

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
  ...CREATION_CASES,
  ...OUTCOME_CASES,
  ...SEMANTICS_CASES,
  ...TYPESCRIPT_CASES,
  ...PYTHON_CASES,
  ...CONSOLE_CASES,
  ...UNCAUGHT_CASES,
  ...ARGUMENT_CASES,
  ...REJECTION_CASES,
  ...CALL_CASES,
  ...LOSSLESS_CASES,
  ...LOG_LINE_CASES,
  ...LOG_BUDGET_CASES,
  ...OUTPUT_LIMIT_CASES,
  ...ENDLESS_CASES,
  ...BUDGET_CASES,
  ...ABORT_CASES,
  ...DISPOSE_CASES,
  ...FORGED_FRAME_CASES,
  ...FORGED_TRAFFIC_CASES,
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
