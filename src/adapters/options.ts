import { statSync } from 'node:fs'
import { z } from 'zod'
import { ConfigurationError } from '../domain/errors.js'
import { LIMIT_NAMES, type Limits } from '../domain/limits.js'
import { showValue } from '../domain/show.js'
import type { Clock } from '../ports/clock.js'
import type { Launcher } from '../ports/launcher.js'
import type { ProcessControl } from '../ports/process-control.js'
import type { Transformer } from '../ports/transformer.js'

/** Single ports to replace, for tests and for integrators. */
export interface AdapterOptions {
  readonly clock?: Clock
  readonly transformer?: Transformer
  readonly processControl?: ProcessControl
}

export interface ForkServerOptions {
  /** Modules to import once, `['numpy', 'pandas']` for instance. */
  readonly preload?: readonly string[]
}

export interface CodeRuntimeOptions {
  /** 'typescript' (default) or 'python'; beside a `launcher` its own language or nothing. */
  readonly language?: string
  /** 'worker-thread' (default for TypeScript) or 'process' (for Python); beside a `launcher` its own or nothing. */
  readonly isolation?: string
  readonly limits?: Limits
  /**
   * The CPython of Python programs: an absolute path, a path with a slash (from the current directory), or a name on
   * PATH. Default: 'python3'. It is probed once and must be 3.10 or newer.
   */
  readonly pythonBin?: string
  /** The working directory of process guests. Default: the host's. */
  readonly cwd?: string
  /** Booted, never-used guests to hold ready from the first run on, an integer from 0 to 64. Default: 1. */
  readonly warm?: number
  /**
   * Runs that have a guest at a time, a positive integer; the rest waits in order, each with its own wall time still
   * whole. Default: 8 for each processor core.
   */
  readonly maxConcurrentRuns?: number
  /**
   * Runs Python programs as forks of one interpreter that has asyncio, and what `preload` names, loaded already. Linux
   * only.
   */
  readonly forkServer?: true | ForkServerOptions
  /** A backend of your own: it brings its language and isolation. */
  readonly launcher?: Launcher
  readonly adapters?: AdapterOptions
}

const isFolder = (value: unknown): boolean => {
  try {
    return typeof value === 'string' && statSync(value).isDirectory()
  } catch {
    return false
  }
}

const MAX_WARM = 64
const isWarmCount = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_WARM

const isPositiveInteger = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 1

/** Names as Python spells them in an `import`. */
const isModuleName = (value: unknown): boolean =>
  typeof value === 'string' && /^[\p{ID_Start}_]\p{ID_Continue}*(\.[\p{ID_Start}_]\p{ID_Continue}*)*$/u.test(value)

const FORK_SERVER = z.strictObject(
  {
    preload: z
      .array(z.custom<string>(isModuleName, { error: 'the name of a module, identifiers joined by dots' }), {
        error: 'an array of module names',
      })
      .optional(),
  },
  { error: unknownKeysOr('true or an object with `preload`') },
)

/** One value, or what a schema allows. */
const literalOr = (literal: unknown, schema: z.ZodType) =>
  z.unknown().check(({ value, issues }) => {
    const parsed = value === undefined || value === literal ? undefined : schema.safeParse(value)
    for (const issue of parsed?.error?.issues ?? []) issues.push({ ...issue, input: value } as z.core.$ZodRawIssue)
  })

const methods = (...names: string[]) =>
  z.custom<object>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      names.every((name) => typeof Reflect.get(value, name) === 'function'),
    { error: `an object with the methods ${names.join(', ')}` },
  )

const LIMITS = z.strictObject(Object.fromEntries(LIMIT_NAMES.map((name) => [name, z.unknown().optional()])), {
  error: unknownKeysOr('an object of limits'),
})

const OPTIONS = z.strictObject(
  {
    language: z.string({ error: 'a string' }).optional(),
    isolation: z.string({ error: 'a string' }).optional(),
    limits: LIMITS.optional(),
    pythonBin: z.string({ error: 'a string' }).optional(),
    cwd: z.custom<string>(isFolder, { error: 'the path of a directory' }).optional(),
    warm: z.custom<number>(isWarmCount, { error: `an integer from 0 to ${MAX_WARM}` }).optional(),
    maxConcurrentRuns: z.custom<number>(isPositiveInteger, { error: 'a positive integer' }).optional(),
    forkServer: literalOr(true, FORK_SERVER).optional(),
    launcher: methods('prepare', 'launch', 'dispose').optional(),
    adapters: z
      .strictObject(
        {
          clock: methods('now', 'after', 'afterTurn').optional(),
          transformer: methods('transform').optional(),
          processControl: methods('spawn', 'signalGroup', 'endDescendants', 'treeUsage').optional(),
        },
        { error: unknownKeysOr('an object of adapters') },
      )
      .optional(),
  },
  { error: unknownKeysOr('an object of options') },
)

/** The options, or a ConfigurationError that names the option, the bound and the value. */
export const parseOptions = (options: unknown): CodeRuntimeOptions => {
  const parsed = OPTIONS.safeParse(options)
  if (parsed.success) return parsed.data as CodeRuntimeOptions
  const [issue] = parsed.error.issues
  if (issue === undefined) throw new ConfigurationError('Expected usable options')
  if (issue.code === 'unrecognized_keys') {
    const path = [...issue.path, issue.keys[0]].join('.')
    throw new ConfigurationError(`Expected only known options, got \`${path}\``)
  }
  throw expectedOption(issue.path.join('.') || 'options', issue.message, valueAt(options, issue.path))
}

export const expectedOption = (path: string, expected: string, actual: unknown): ConfigurationError =>
  new ConfigurationError(`Expected \`${path}\` to be ${expected}, got \`${showValue(actual)}\``)

function unknownKeysOr(expected: string) {
  return (issue: { code?: string }): string | undefined => (issue.code === 'unrecognized_keys' ? undefined : expected)
}

const valueAt = (options: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    options,
  )
