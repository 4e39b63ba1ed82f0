import type { Limits } from '../../domain/limits.js'
import type { Capability } from './capabilities.js'

/** The limit that bounds what a program computes, for about so many milliseconds. */
export const computing =
  (ms: number, more: Limits = {}) =>
  (declared: ReadonlySet<Capability>): Limits => ({
    ...more,
    ...(declared.has('computeMs') ? { computeMs: ms } : { cpuSeconds: Math.ceil(ms / 1_000) }),
  })
