import type { Limits } from '../../domain/limits.js'
import type { CodeRuntime } from '../../runtime.js'
import { type ConformanceBackend, programFor } from './backend.js'
import { type Capability, firstUnmet } from './capabilities.js'
import { type CaseContext, type ConformanceCase, idOf } from './case.js'
import { RuntimePool } from './runtime-pool.js'
import { CASES, isWithin, sectionTitle } from './sections.js'
import { TOOLS } from './tools.js'

/** A case as it is put to one backend. */
export interface ConformanceTest {
  readonly id: string
  /** The rule, `6.1` for instance. */
  readonly section: string
  readonly title: string
  /** Why it does not apply. Such a case is never run, and never counted as passed. */
  readonly notApplicable?: string
  /** For the runner; a case of the suite has its own deadlines well below. */
  readonly timeoutMs: number
  run(): Promise<void>
}

/** The tests of one chapter of the contract, in the order in which they are to run. */
export interface ConformanceSection {
  readonly title: string
  readonly tests: readonly ConformanceTest[]
}

export interface Selection {
  /** Chapters or rules: '6' or '6.1'. Absent: all. */
  readonly sections?: readonly string[]
  /** Exact ids of cases. Absent: all of the sections. */
  readonly ids?: readonly string[]
}

const TIMEOUT_MS = 30_000

/** The conformance suite for a backend: each section ends with the disposal of the runtimes that it used. */
export const conformance = (backend: ConformanceBackend, selection: Selection = {}): ConformanceSection[] => {
  const chosen = CASES.filter((one) => isChosen(one, selection))
  const titles = new Set(chosen.map(({ section }) => sectionTitle(section)))
  return [...titles].map((title) => {
    const pool = new RuntimePool(backend)
    const cases = chosen.filter(({ section }) => sectionTitle(section) === title)
    return { title, tests: [...cases.map((one) => toTest(one, backend, pool)), disposalOf(title, pool)] }
  })
}

const isChosen = (one: ConformanceCase, { sections, ids }: Selection): boolean =>
  (sections === undefined || sections.some((asked) => isWithin(one.section, asked))) &&
  (ids === undefined || ids.includes(idOf(one)))

const toTest = (one: ConformanceCase, backend: ConformanceBackend, pool: RuntimePool): ConformanceTest => {
  const declared: ReadonlySet<Capability> = new Set(backend.capabilities)
  const program = programFor(one, backend)
  const notApplicable = reasonAgainst(one, program, backend.language, declared)
  return {
    id: idOf(one),
    section: one.section,
    title: one.title,
    ...(notApplicable === undefined ? {} : { notApplicable }),
    timeoutMs: TIMEOUT_MS,
    run: () => runCase(one, { program: program ?? '', language: backend.language, declared }, backend, pool),
  }
}

const reasonAgainst = (
  one: ConformanceCase,
  program: string | undefined,
  language: string,
  declared: ReadonlySet<Capability>,
): string | undefined => {
  const unmet = firstUnmet(one.requires ?? [], declared)
  if (unmet !== undefined) return `not declared: ${unmet}`
  return program === undefined ? `no program in ${language}` : undefined
}

const runCase = async (
  one: ConformanceCase,
  fixed: Pick<CaseContext, 'program' | 'language' | 'declared'>,
  backend: ConformanceBackend,
  pool: RuntimePool,
): Promise<void> => {
  const own: CodeRuntime[] = []
  const ownLimits = limitsOf(one, fixed.declared)
  try {
    await one.run({
      ...fixed,
      run: async ({ tools = TOOLS, bindings, ...request } = {}, limits = ownLimits) =>
        (await pool.get(limits)).run({
          program: fixed.program,
          bindings: bindings ?? [{ global: 'tools', functions: tools }],
          ...request,
        }),
      create: async (options = {}) => {
        const runtime = await backend.create(options)
        own.push(runtime)
        return runtime
      },
    })
  } finally {
    await Promise.all(own.map((runtime) => runtime.dispose()))
  }
}

const limitsOf = ({ limits = {} }: ConformanceCase, declared: ReadonlySet<Capability>): Limits =>
  typeof limits === 'function' ? limits(declared) : limits

const disposalOf = (sectionName: string, pool: RuntimePool): ConformanceTest => {
  const [chapter] = sectionName.split(' ')
  const title = `the runtimes of section ${chapter} can be disposed`
  return { id: `9.2 ${title}`, section: '9.2', title, timeoutMs: TIMEOUT_MS, run: () => pool.dispose() }
}
