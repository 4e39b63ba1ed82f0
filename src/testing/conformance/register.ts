import type { ConformanceBackend } from './backend.js'
import { conformance, type Selection } from './suite.js'

/** What the suite needs of a test runner: vitest, node:test, jest and others have it. */
export interface TestRunner {
  describe(title: string, suite: () => void): unknown
  readonly it: ((title: string, test: () => Promise<void>, timeoutMs?: number) => unknown) & {
    skip(title: string, test: () => Promise<void>): unknown
  }
}

/** Registers the suite with a test runner. A case that does not apply is skipped, and its title says why. */
export const registerConformance = (
  { describe, it }: TestRunner,
  backend: ConformanceBackend,
  selection: Selection = {},
): void => {
  for (const { title, tests } of conformance(backend, selection)) {
    describe(title, () => {
      for (const test of tests) {
        if (test.notApplicable === undefined) it(test.id, () => test.run(), test.timeoutMs)
        else it.skip(`${test.id} (${test.notApplicable})`, () => test.run())
      }
    })
  }
}
