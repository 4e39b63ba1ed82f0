import type { TestProject } from 'vitest/node'
import { buildWorkerEntry } from '../../scripts/worker-entry.mjs'

export default async function setup(project: TestProject): Promise<void> {
  const build = () => buildWorkerEntry({ minify: !project.config.coverage.enabled })
  project.onTestsRerun(build)
  await build()
}
