import type { ConformanceCase, Programs } from './case.js'

/** Budgets of every case about what a program sends. */
export const HOSTILE_LIMITS = { maxWallMs: 10_000, maxValueBytes: 4_096, maxLogBytes: 4_096 }
/** A call as a program forges it. */
export const FORGED_CALL = { type: 'call', id: 0, global: 'tools', name: 'one', args: null }

/** What every case here needs: a program that can write to the channel, and small budgets. */
export const hostile = (
  section: string,
  title: string,
  programs: Programs,
  run: ConformanceCase['run'],
): ConformanceCase => ({
  section,
  title,
  programs,
  requires: ['channel'],
  limits: HOSTILE_LIMITS,
  run,
})
