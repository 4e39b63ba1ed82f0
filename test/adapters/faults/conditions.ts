import { execFileSync } from 'node:child_process'

export const NOBODY = 65_534

export const canBeNobody = (): boolean => {
  try {
    execFileSync(process.execPath, ['-e', `require('${process.cwd()}/package.json')`], { uid: NOBODY, stdio: 'ignore' })
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
