import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { ConfigurationError } from '../../domain/errors.js'
import { showValue } from '../../domain/show.js'

/** The file that `pythonBin` means: a path as it is, a bare name by the absolute entries of PATH. */
export const findExecutable = (pythonBin: string, searchPath = ''): string => {
  if (pythonBin === '' || pythonBin.includes('\0'))
    throw pythonBinProblem(pythonBin, 'a path or a name, not empty and without NUL')
  return isBareName(pythonBin) ? findOnPath(pythonBin, searchPath) : requireExecutable(pythonBin)
}

export const isBareName = (pythonBin: string): boolean => !pythonBin.includes('/')

export const isExecutableFile = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Tells one state of a file from a later one. Undefined when it is not there. */
export const fileSignature = (path: string): string | undefined => {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats && [stats.dev, stats.ino, stats.size, stats.mtimeMs].join(':')
}

export const pythonBinProblem = (given: string, expected: string): ConfigurationError =>
  new ConfigurationError(`Expected \`pythonBin\` to be ${expected}, got \`${showValue(given)}\``)

const findOnPath = (name: string, searchPath: string): string => {
  const found = searchPath
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find(isExecutableFile)
  if (found === undefined) throw pythonBinProblem(name, 'an interpreter: it does not resolve on PATH')
  return found
}

const requireExecutable = (given: string): string => {
  const path = resolve(given)
  if (!isExecutableFile(path)) throw pythonBinProblem(given, 'an interpreter: it is not an executable regular file')
  return path
}
