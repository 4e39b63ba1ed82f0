import type { Fault } from './faults.js'
import type { AnyFrame } from './frames.js'

/** Why the reading stopped, if it was for more than that enough waits to be written. */
export type Stop =
  | { readonly kind: 'fault'; readonly fault: Fault }
  | { readonly kind: 'over-budget' }
  | { readonly kind: 'digits'; readonly value: number }

export interface Reading {
  /** The containers that the reading stopped in, outermost first, inside the frame that it started in. */
  readonly left: readonly AnyFrame[]
  readonly stop: Stop | undefined
}

export const OVER_BUDGET: Stop = { kind: 'over-budget' }

export const stopAt = (fault: Fault): Stop => ({ kind: 'fault', fault })
