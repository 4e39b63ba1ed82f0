import { isAbsolute } from 'node:path'
import type { ConfigurationError } from '../../domain/errors.js'
import { showValue } from '../../domain/show.js'
import { fileSignature, findExecutable, isBareName, isExecutableFile, pythonBinProblem } from './executable.js'
import { type ProbeReport, probe } from './probe.js'

const OLDEST_MINOR = 10

export interface Interpreter {
  /** What every run starts. */
  readonly path: string
  readonly version: string
  /** Of its file when it was probed. */
  readonly signature: string | undefined
}

/** Finds and probes a CPython once. Throws a ConfigurationError that says what is wrong with it. */
export const resolveInterpreter = async (pythonBin: string, searchPath = process.env['PATH']): Promise<Interpreter> => {
  const candidate = findExecutable(pythonBin, searchPath)
  const { version, executable } = requireCpython(pythonBin, await probeOnce(candidate))
  // A shim resolves by its own rules at each start; an explicit path is run as it is, a wrapper for instance.
  const isFrozen = isBareName(pythonBin) && isAbsolute(executable) && isExecutableFile(executable)
  const path = isFrozen ? executable : candidate
  return { version, path, signature: fileSignature(path) }
}

const reports = new Map<string, ProbeReport>()

/** What an interpreter reports is asked again when its file changed. A shim's answer is never remembered. */
const probeOnce = async (path: string): Promise<ProbeReport> => {
  const key = `${path}:${fileSignature(path)}`
  const report = reports.get(key) ?? (await probe(path))
  if (isOwnReport(report, path)) reports.set(key, report)
  return report
}

const isOwnReport = (report: ProbeReport, path: string): boolean => {
  const parsed = 'text' in report ? parseReport(report.text) : undefined
  return parsed?.executable === path
}

interface Parsed {
  readonly name: string
  readonly major: string
  readonly minor: string
  readonly executable: string
}

const parseReport = (text: string): Parsed | undefined => {
  const start = text.indexOf('code-runtime')
  const [banner, name, major = '', minor = '', hexPath = ''] = text.slice(start).split('\n')
  if (banner !== 'code-runtime' || name === undefined) return undefined
  return { name, major, minor, executable: Buffer.from(hexPath, 'hex').toString('utf8') }
}

const requireCpython = (given: string, report: ProbeReport): { version: string; executable: string } => {
  if ('failure' in report) throw pythonBinProblem(given, `an interpreter: it could not be started (${report.failure})`)
  const parsed = parseReport(report.text)
  if (parsed === undefined) throw noReport(given, report)
  const { name, major, minor, executable } = parsed
  const version = `${major}.${minor}`
  const isSupported = name === 'cpython' && major === '3' && Number(minor) >= OLDEST_MINOR
  if (!isSupported) throw pythonBinProblem(given, `CPython 3.${OLDEST_MINOR} or newer: it reported ${name} ${version}`)
  return { version, executable }
}

const noReport = (given: string, { text, isLate }: { text: string; isLate: boolean }): ConfigurationError => {
  const reported = text === '' ? 'nothing' : showValue(text.trim())
  const inTime = isLate ? ' within 5 s' : ''
  return pythonBinProblem(given, `an interpreter: it did not report a CPython version${inTime}, but ${reported}`)
}
