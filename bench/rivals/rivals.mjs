import { readFileSync } from 'node:fs'
import { inChild } from '../child.mjs'
import { findInstallProblem } from '../install.mjs'
import { RIVALS } from './list.mjs'

/** Each in a process of its own, beside code-runtime in the same process. */
export const measure = async (context) => {
  const group = context.report.group('rivals')
  const problem = findInstallProblem(context)
  if (problem !== undefined) return group.skip('all', problem)
  const python = context.numpyPython ?? context.pythons[0]
  for (const file of context.rivals) await measureRival(context, { file, python, group })
}

const measureRival = async ({ report, quick }, { file, python, group }) => {
  const { name, execArgv } = RIVALS[file]
  const version = installedVersion(name)
  if (version === undefined) return group.skip(name, 'it did not install here')
  try {
    const found = await inChild('./rivals/measure-child.mjs', { file, python: python?.path, quick }, { execArgv })
    report.merge(found)
    report.describe({ name: `${name} ${version}`, lacks: found.lacks })
  } catch (error) {
    group.skip(name, error.message.replaceAll('\n', ' '))
  }
}

const installedVersion = (name) => {
  try {
    return JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), 'utf8')).version
  } catch {
    return undefined
  }
}
