import { isAbsolute } from 'node:path'
import type { ConfigurationError } from '../../domain/errors.js'
import { showValue } from '../../domain/show.js'
import { findExecutable, isBareName, isExecutableFile, pythonBinProblem } from './executable.js'
import { type ProbeReport, probe } from './probe.js'

const OLDEST_MINOR = 10

export interface Interpreter {
  /** What every run starts. */
  readonly path: string
  readonly version: string
}

/** Finds and probes a CPython once. Throws a ConfigurationError that says what is wrong with it. */
export const resolveInterpreter = async (pythonBin: string, searchPath = process.env['PATH']): Promise<Interpreter> => {
  const candidate = findExecutable(pythonBin, searchPath)
  const { version, executable } = requireCpython(pythonBin, await probe(candidate))
  // A shim resolves by its own rules at each start; an explicit path is run as it is, a wrapper for instance.
  const isFrozen = isBareName(pythonBin) && isAbsolute(executable) && isExecutableFile(executable)
  return { version, path: isFrozen ? executable : candidate }
}

const requireCpython = (given: string, report: ProbeReport): { version: string; executable: string } => {
  if ('failure' in report) throw pythonBinProblem(given, `an interpreter: it could not be started (${report.failure})`)
  const { text } = report
  const [banner, name, major, minor, hexPath = ''] = text.slice(text.indexOf('code-runtime')).split('\n')
  if (banner !== 'code-runtime' || name === undefined) throw noReport(given, report)
  const version = `${major}.${minor}`
  const isSupported = name === 'cpython' && major === '3' && Number(minor) >= OLDEST_MINOR
  if (!isSupported) throw pythonBinProblem(given, `CPython 3.${OLDEST_MINOR} or newer: it reported ${name} ${version}`)
  return { version, executable: Buffer.from(hexPath, 'hex').toString('utf8') }
}

const noReport = (given: string, { text, isLate }: { text: string; isLate: boolean }): ConfigurationError => {
  const reported = text === '' ? 'nothing' : showValue(text.trim())
  const inTime = isLate ? ' within 5 s' : ''
  return pythonBinProblem(given, `an interpreter: it did not report a CPython version${inTime}, but ${reported}`)
}
