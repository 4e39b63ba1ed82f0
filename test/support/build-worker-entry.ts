import type { TestProject } from 'vitest/node'
import { buildGuestScripts } from '../../scripts/guest-scripts.mjs'
import { buildWorkerEntry } from '../../scripts/worker-entry.mjs'

export default async function setup(project: TestProject): Promise<void> {
  const minify = !project.config.coverage.enabled
  const build = async (): Promise<void> => {
    await Promise.all([buildWorkerEntry({ minify }), buildGuestScripts({ minify })])
  }
  project.onTestsRerun(build)
  await build()
}
