import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Not `npm ci`: it refuses a lock file without the builds for other platforms that were never published.
const INSTALL = ['install', '--no-save', '--no-audit', '--no-fund']
const folder = fileURLToPath(new URL('.', import.meta.url))

/** Why the packages of bench/package.json are not there, or undefined: installs them on first use. */
export const findInstallProblem = ({ mayInstall }) => {
  if (isInstalled()) return undefined
  if (!mayInstall) return 'not installed; run `npm install` in bench/, or the benchmark without --no-install'
  console.error('installing the packages of bench/package.json')
  const { status, stderr } = spawnSync('npm', INSTALL, {
    cwd: folder,
    env: { ...process.env, ...nodeHeaders() },
    encoding: 'utf8',
  })
  return status === 0 ? undefined : `\`npm install\` in bench/ failed: ${stderr.trim().split('\n').slice(-3).join(' ')}`
}

const isInstalled = () => {
  const installedMs = changedMs('node_modules/.package-lock.json')
  return installedMs !== undefined && installedMs >= changedMs('package-lock.json')
}

const changedMs = (path) => statSync(folder + path, { throwIfNoEntry: false })?.mtimeMs

/** Where native packages find Node's headers, if Node came with them: else node-gyp downloads them. */
const nodeHeaders = () => {
  const prefix = dirname(dirname(process.execPath))
  return existsSync(join(prefix, 'include/node/node.h')) ? { npm_config_nodedir: prefix } : {}
}
