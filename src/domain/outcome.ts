import type { JsonValue } from './json/value.js'

/** Why a run failed. The kinds are orthogonal; `docs/failures.md` has a row for each. */
export type FailureKind = 'exception' | 'timeout' | 'abort' | 'worker-exit' | 'invalid-output' | 'output-limit'

export const FAILURE_KINDS: readonly FailureKind[] = [
  'exception',
  'timeout',
  'abort',
  'worker-exit',
  'invalid-output',
  'output-limit',
]

export interface RunFailure {
  readonly kind: FailureKind
  /** Written for the model that wrote the program. */
  readonly message: string
}

export type CallState = 'running' | 'succeeded' | 'failed'

/** One binding call, as the host saw it. */
export interface CallRecord {
  readonly id: number
  readonly global: string
  readonly name: string
  readonly state: CallState
  /** Milliseconds since the start of the run. */
  readonly startMs: number
  /** Null while the call runs. */
  readonly durationMs: number | null
  /** Bytes of the argument as compact JSON. */
  readonly argsBytes: number
  /** Bytes of the value, or of the error's text, as compact JSON; null until the reply is written. */
  readonly replyBytes: number | null
  readonly error?: string
}

/** What a run cost. `null` is what could not be measured. */
export interface Usage {
  readonly wallMs: number
  readonly cpuMs: number | null
  readonly peakMemoryBytes: number | null
  readonly bindingCalls: number
  /** Bytes of frames from the guest. */
  readonly bytesIn: number
  /** Bytes of frames to the guest. */
  readonly bytesOut: number
}

export interface RunResult {
  /** What the program returned; no key at all for `undefined` or a failure. */
  readonly value?: JsonValue
  /** One entry per printed line. */
  readonly logs: readonly string[]
  readonly error?: RunFailure
  readonly usage: Usage
  readonly calls: readonly CallRecord[]
}

export type OutputStream = 'stdout' | 'stderr'
export type RunState = 'waiting' | 'starting' | 'running' | 'settling' | 'done'

/** What `onEvent` receives, in order. `open` marks a piece of a line that is not ended yet. */
export type RunEvent =
  | { readonly type: 'log'; readonly stream: OutputStream; readonly text: string; readonly open?: true }
  | { readonly type: 'call-start' | 'call-end'; readonly call: CallRecord }
  | { readonly type: 'state'; readonly state: RunState }
