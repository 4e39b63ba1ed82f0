import { MIB } from './units.js'

/** Budgets of a run. Units are in the names; `docs/limits.md` tells what each one bounds. */
export interface Limits {
  readonly maxWallMs?: number
  readonly maxLogBytes?: number
  readonly maxValueBytes?: number
  readonly maxBindingCalls?: number
  /** worker-thread: busy milliseconds of the event loop. */
  readonly computeMs?: number
  /** worker-thread: memory that the run may add, in MiB. */
  readonly maxHeapMb?: number
  /** process: CPU seconds of the whole process tree. */
  readonly cpuSeconds?: number
  /** process: address space, in MiB. */
  readonly addressSpaceMb?: number
  /** process: milliseconds between SIGTERM and SIGKILL. */
  readonly graceMs?: number
}

export type LimitName = keyof Limits
export type ResolvedLimits = Readonly<Record<LimitName, number>>

interface LimitRule {
  /** The isolation it applies to; undefined is every one. */
  readonly isolation?: 'worker-thread' | 'process'
  readonly defaultValue: number
  readonly isInteger: boolean
  readonly min: number
  readonly max: number
}

const MAX_TIMER_MS = 2_147_483_647
/** The longest that a settlement waits for a stopped guest beyond its grace. */
export const STOP_MARGIN_MS = 2_000
const INTERPRETER_BASELINE_BYTES = 64 * MIB
/** Three live copies of a text whose characters take four bytes each. */
const OUTPUT_COPIES = 12
const FRAME_ENVELOPE_BYTES = 64
/** The truncation marker of any budget from here on fits that budget. */
const MIN_LOG_BYTES = 64

const anyFinite = { isInteger: false, min: 0, max: Number.MAX_VALUE }

const LIMIT_RULES: Readonly<Record<LimitName, LimitRule>> = {
  maxWallMs: { defaultValue: 600_000, isInteger: false, min: 0, max: MAX_TIMER_MS },
  maxLogBytes: { defaultValue: 65_536, isInteger: true, min: MIN_LOG_BYTES, max: Number.MAX_SAFE_INTEGER },
  maxValueBytes: { defaultValue: MIB, isInteger: true, min: 1, max: Number.MAX_SAFE_INTEGER },
  maxBindingCalls: {
    defaultValue: Number.POSITIVE_INFINITY,
    isInteger: true,
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
  },
  computeMs: { isolation: 'worker-thread', defaultValue: 60_000, ...anyFinite },
  maxHeapMb: { isolation: 'worker-thread', defaultValue: 512, ...anyFinite },
  cpuSeconds: { isolation: 'process', defaultValue: 60, isInteger: true, min: 1, max: Number.MAX_SAFE_INTEGER - 1 },
  addressSpaceMb: { isolation: 'process', defaultValue: 2_048, ...anyFinite, max: Number.MAX_SAFE_INTEGER / MIB },
  graceMs: {
    isolation: 'process',
    defaultValue: 3_000,
    isInteger: false,
    min: 0,
    max: MAX_TIMER_MS - STOP_MARGIN_MS,
  },
}

export const LIMIT_NAMES = Object.keys(LIMIT_RULES) as readonly LimitName[]

export interface LimitContext {
  readonly isolation: string
  /** Limits of this package's isolations that a backend of an integrator enforces as well. */
  readonly alsoApplies?: readonly LimitName[]
  readonly frameCapBytes: number
}

export interface LimitProblem {
  readonly limit: LimitName
  readonly expected: string
  readonly actual: unknown
}

/** The limits of a runtime with their defaults, or the first that breaks a rule. */
export const resolveLimits = (given: Limits, context: LimitContext): ResolvedLimits | LimitProblem => {
  const problem = LIMIT_NAMES.map((name) => checkLimit(name, given[name], context)).find((found) => found !== undefined)
  if (problem !== undefined) return problem
  const resolved = Object.fromEntries(
    LIMIT_NAMES.map((name) => [name, given[name] ?? LIMIT_RULES[name].defaultValue]),
  ) as Record<LimitName, number>
  return checkTogether(resolved, context) ?? resolved
}

export const isLimitProblem = (outcome: ResolvedLimits | LimitProblem): outcome is LimitProblem => 'expected' in outcome

/** Whether a limit means anything under an isolation. */
export const limitApplies = (name: LimitName, context: Pick<LimitContext, 'isolation' | 'alsoApplies'>): boolean => {
  const { isolation } = LIMIT_RULES[name]
  return isolation === undefined || isolation === context.isolation || (context.alsoApplies ?? []).includes(name)
}

const checkLimit = (name: LimitName, value: unknown, context: LimitContext): LimitProblem | undefined => {
  if (value === undefined) return undefined
  if (!limitApplies(name, context)) {
    const { isolation } = LIMIT_RULES[name]
    return problem(name, `absent: it applies to isolation '${isolation}', not to '${context.isolation}'`, value)
  }
  const expected = checkRange(LIMIT_RULES[name], value)
  return expected === undefined ? undefined : problem(name, expected, value)
}

const checkRange = (rule: LimitRule, value: unknown): string | undefined => {
  const kind = rule.isInteger ? 'a positive integer' : 'a finite positive number'
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return `${kind} (a positive number)`
  if (rule.isInteger && !Number.isInteger(value)) return kind
  if (value < rule.min) return `${kind} of at least ${rule.min}`
  if (value > rule.max) return `${kind} of at most ${rule.max}`
  return undefined
}

const checkTogether = (limits: ResolvedLimits, context: LimitContext): LimitProblem | undefined =>
  checkFrameRoom('maxLogBytes', limits, context.frameCapBytes) ??
  checkFrameRoom('maxValueBytes', limits, context.frameCapBytes) ??
  (limitApplies('addressSpaceMb', context) ? checkAddressSpace(limits) : undefined)

const checkFrameRoom = (name: LimitName, limits: ResolvedLimits, frameCapBytes: number): LimitProblem | undefined => {
  const max = frameCapBytes - FRAME_ENVELOPE_BYTES
  return limits[name] <= max
    ? undefined
    : problem(name, `at most ${max}, the largest frame of this host less ${FRAME_ENVELOPE_BYTES}`, limits[name])
}

const checkAddressSpace = (limits: ResolvedLimits): LimitProblem | undefined => {
  const roomBytes = limits.addressSpaceMb * MIB - INTERPRETER_BASELINE_BYTES
  if (!Number.isSafeInteger(roomBytes)) {
    return problem('addressSpaceMb', 'a number of MiB whose byte count is a safe integer', limits.addressSpaceMb)
  }
  if (roomBytes <= 0) {
    return problem('addressSpaceMb', 'more than 64, the baseline of the interpreter', limits.addressSpaceMb)
  }
  const tooLarge = (['maxLogBytes', 'maxValueBytes'] as const).find((name) => limits[name] * OUTPUT_COPIES >= roomBytes)
  if (tooLarge === undefined) return undefined
  const bound = Math.ceil(roomBytes / OUTPUT_COPIES) - 1
  return problem(
    tooLarge,
    `at most ${bound}: ${OUTPUT_COPIES} times it must stay below \`limits.addressSpaceMb\` (${limits.addressSpaceMb}) less 64 MiB`,
    limits[tooLarge],
  )
}

const problem = (limit: LimitName, expected: string, actual: unknown): LimitProblem => ({ limit, expected, actual })
