import { spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { ConfigurationError } from '../../domain/errors.js'
import { showValue } from '../../domain/show.js'

const PROBE_MS = 5_000
const MAX_REPORT_BYTES = 65_536
const OLDEST_MINOR = 10
const PROBE = `
import sys
print("code-runtime", sys.implementation.name, *sys.version_info[:2], sys.executable, sep="\\n")
`

export interface Interpreter {
  /** What every run starts. */
  readonly path: string
  readonly version: string
}

/** Finds and probes a CPython once. Throws a ConfigurationError that says what is wrong with it. */
export const resolveInterpreter = async (pythonBin: string, searchPath = process.env['PATH']): Promise<Interpreter> => {
  const isBareName = !pythonBin.includes('/')
  const candidate = isBareName ? findOnPath(pythonBin, searchPath) : requireExecutable(resolve(pythonBin), pythonBin)
  const report = await probe(candidate, pythonBin)
  // A shim resolves by its own rules at each start; an explicit path is run as it is, a wrapper for instance.
  return { version: report.version, path: isBareName && report.executable !== '' ? report.executable : candidate }
}

const findOnPath = (name: string, searchPath = ''): string => {
  if (name === '' || name.includes('\0')) throw problem(name, 'a path or a name, without NUL')
  const found = searchPath
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find(isExecutableFile)
  if (found === undefined) throw problem(name, 'an interpreter: it does not resolve on PATH')
  return found
}

const requireExecutable = (path: string, given: string): string => {
  if (path.includes('\0')) throw problem(given, 'a path or a name, without NUL')
  if (!isExecutableFile(path)) throw problem(given, 'an interpreter: it is not an executable regular file')
  return path
}

const isExecutableFile = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

const probe = async (path: string, given: string): Promise<{ version: string; executable: string }> => {
  const report = await runProbe(path)
  const [banner, implementation, major, minor, executable = ''] = report.slice(report.indexOf('code-runtime')).split('\n')
  if (banner !== 'code-runtime' || implementation === undefined) {
    throw problem(given, `an interpreter: it did not report a CPython version, but ${reported(report)}`)
  }
  const version = `${major}.${minor}`
  const isSupported = implementation === 'cpython' && (Number(major) > 3 || (Number(major) === 3 && Number(minor) >= OLDEST_MINOR))
  if (!isSupported) throw problem(given, `CPython 3.${OLDEST_MINOR} or newer: it reported ${implementation} ${version}`)
  return { version, executable }
}

const reported = (report: string): string => (report === '' ? 'nothing' : showValue(report.trim()))

/** What the interpreter printed within five seconds; then it is killed with its group. */
const runProbe = (path: string): Promise<string> =>
  new Promise((settle) => {
    const child = spawn(path, ['-I', '-S', '-c', PROBE], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
    let report = ''
    const end = (): void => {
      clearTimeout(deadline)
      killGroup(child.pid)
      child.stdout.destroy()
      settle(report)
    }
    const deadline = setTimeout(end, PROBE_MS)
    child.stdout.on('data', (chunk: Buffer) => {
      report += chunk.toString('utf8')
      if (report.length > MAX_REPORT_BYTES) end()
    })
    child.once('error', end)
    child.once('exit', () => child.stdout.readableEnded || child.stdout.once('end', end))
    child.once('close', end)
  })

const killGroup = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const problem = (given: string, expected: string): ConfigurationError =>
  new ConfigurationError(`Expected \`pythonBin\` to be ${expected}, got \`${showValue(given)}\``)
