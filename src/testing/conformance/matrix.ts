import type { ConformanceBackend } from './backend.js'
import { type ConformanceTest, conformance, type Selection } from './suite.js'

export type ConformanceOutcome = 'passed' | 'failed' | 'not-applicable'

export interface ConformanceResult extends Pick<ConformanceTest, 'id' | 'section' | 'title'> {
  readonly outcome: ConformanceOutcome
  /** Why it failed, or why it does not apply. */
  readonly reason?: string
}

/** What became of every case of a section. */
export interface SectionResult {
  readonly title: string
  readonly results: readonly ConformanceResult[]
}

/** What a backend declares, and what came of it. */
export interface ConformanceMatrix {
  readonly backend: string
  readonly capabilities: readonly string[]
  readonly sections: readonly SectionResult[]
}

export interface RunOptions extends Selection {
  /** Called after each case. */
  readonly onResult?: (result: ConformanceResult) => void
}

/** Puts the suite to a backend, one case after the other. */
export const runConformance = async (
  name: string,
  backend: ConformanceBackend,
  { onResult = () => {}, ...selection }: RunOptions = {},
): Promise<ConformanceMatrix> => {
  const sections: SectionResult[] = []
  for (const { title, tests } of conformance(backend, selection)) {
    const results: ConformanceResult[] = []
    for (const test of tests) {
      const result = await resultOf(test)
      results.push(result)
      onResult(result)
    }
    sections.push({ title, results })
  }
  return { backend: name, capabilities: [...backend.capabilities].toSorted(), sections }
}

const resultOf = async (test: ConformanceTest): Promise<ConformanceResult> => {
  const { id, section, title, notApplicable } = test
  if (notApplicable !== undefined) return { id, section, title, outcome: 'not-applicable', reason: notApplicable }
  try {
    await within(test.timeoutMs, test.run())
    return { id, section, title, outcome: 'passed' }
  } catch (error) {
    return { id, section, title, outcome: 'failed', reason: error instanceof Error ? error.message : String(error) }
  }
}

const within = async (ms: number, promise: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not settle within ${ms} ms`)), ms)
  })
  try {
    await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** How many cases came to each outcome. */
export const countOutcomes = (results: readonly ConformanceResult[]): Record<ConformanceOutcome, number> => {
  const counts = { passed: 0, failed: 0, 'not-applicable': 0 }
  for (const { outcome } of results) counts[outcome] += 1
  return counts
}
