import type { CallAnswer } from './call-table.js'
import type { GuestExit, GuestUsage } from './exit.js'
import type { JsonValue } from './json/value.js'
import type { FailureKind, OutputStream, RunEvent, RunResult } from './outcome.js'

/** What happens to a run. The driver turns the world into these. */
export type RunInput =
  | { readonly type: 'accepted' }
  /** Its turn has come: its time counts from here. */
  | { readonly type: 'begun' }
  | { readonly type: 'launched'; readonly program: string }
  | { readonly type: 'frame'; readonly text: string; readonly bytes: number }
  | { readonly type: 'stray'; readonly stream: OutputStream; readonly chunk: Uint8Array }
  | { readonly type: 'sent' }
  | { readonly type: 'send-failed'; readonly message: string }
  | { readonly type: 'answered'; readonly id: number; readonly answer: CallAnswer }
  /** The turn of the event loop in which something was over its bound is at its end. */
  | { readonly type: 'turn-end' }
  /** A budget, an abort or a broken bound of the protocol ends the run. */
  | { readonly type: 'ended'; readonly kind: FailureKind; readonly message: string }
  /** The guest is gone and its streams are closed. */
  | { readonly type: 'gone'; readonly exit: GuestExit; readonly usage: GuestUsage }
  /** The guest was stopped and did not go in time. */
  | { readonly type: 'stop-overdue'; readonly usage: GuestUsage }

/** What the driver does about it. */
export type RunEffect =
  | { readonly type: 'send'; readonly text: string }
  | { readonly type: 'call'; readonly id: number; readonly invoke: BindingInvocation }
  | { readonly type: 'await-turn' }
  | { readonly type: 'stop'; readonly reason: StopReason }
  | { readonly type: 'emit'; readonly event: RunEvent }
  | { readonly type: 'finish'; readonly result: RunResult }

export type StopReason = 'completed' | FailureKind

const UNANSWERED: ReadonlySet<StopReason> = new Set<StopReason>(['abort', 'timeout', 'worker-exit'])

/** Whether a run with a guest ended by the guest's own `done`, with nothing more to come from it. */
export const isAnswered = (reason: StopReason): boolean => !UNANSWERED.has(reason)

export type BindingInvocation = (context: { signal: AbortSignal }) => unknown
export type Completion =
  | { readonly value?: JsonValue }
  | { readonly error: { readonly kind: FailureKind; readonly message: string } }
