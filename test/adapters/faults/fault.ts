import type { FailureKind } from '../../../src/index.js'

export const ADAPTERS = ['typescript', 'python'] as const
export type Adapter = (typeof ADAPTERS)[number]

export interface Fault {
  readonly title: string
  /** Statements before the runtime is made; they may assign `options`, `inject` and `undo`. */
  readonly arrange: string
  readonly program?: Readonly<Record<Adapter, string>>
  /** What comes of the run; an adapter that is not named does not touch this part of the world. */
  readonly expected: Partial<Readonly<Record<Adapter, Outcome>>>
  readonly needs?: () => boolean
  /** Who the host is: root is bound by no number of processes. */
  readonly uid?: number
  /** What Node itself leaves of a worker or a child that it could not start. */
  readonly leftByNode?: readonly string[]
}

export type Outcome = { readonly value: unknown } | { readonly kind: FailureKind; readonly message: RegExp }
