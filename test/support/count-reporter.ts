import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node'

/** Ends a run with `N passed, N failed, N skipped` alone on a line. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], _reason: TestRunEndReason): void {
    const count = (state: 'passed' | 'failed' | 'skipped') =>
      modules.reduce((sum, { children }) => sum + [...children.allTests(state)].length, 0)
    const broken = modules.reduce((sum, module) => sum + module.errors().length, errors.length)
    console.log(`${count('passed')} passed, ${count('failed') + broken} failed, ${count('skipped')} skipped`)
  }
}
