export interface Encoded {
  readonly ok: true
  readonly text: string
  /** UTF-8 bytes of the text. */
  readonly bytes: number
}

export interface Refused {
  readonly ok: false
  readonly kind: 'lossy'
  readonly path: string
  readonly reason: string
  readonly hint?: string
}

export interface OverBudget {
  readonly ok: false
  readonly kind: 'over-budget'
}

export type Problem = Refused | OverBudget
export type Encoding = Encoded | Problem

export const OVER_BUDGET: OverBudget = { ok: false, kind: 'over-budget' }
