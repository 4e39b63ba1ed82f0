import { LOSSLESS_COMPLETION, outputLimitMessage } from './completion-check.js'
import { capDiagnostic } from './diagnostic.js'
import type { CompletionErrorKind } from './frame.js'
import type { JsonCodec, Refused } from './json/codec.js'
import { describeRefusal } from './json/refusal.js'

export interface CompletionContext {
  readonly codec: JsonCodec
  readonly maxBytes: number
  /** What else the model should know about a completion that is not lossless. */
  hint(refused: Refused): string
}

/** The done frame of a program that returned. The value is encoded once, here. */
export const completionFrame = (value: unknown, { codec, maxBytes, hint }: CompletionContext): string => {
  if (value === undefined) return '{"type":"done"}'
  const encoded = codec.encode(value, maxBytes)
  if (encoded.ok) return `{"type":"done","value":${encoded.text}}`
  if (encoded.kind === 'over-budget') return errorFrame('output-limit', outputLimitMessage(maxBytes), maxBytes)
  return errorFrame('invalid-output', `${LOSSLESS_COMPLETION}: ${describeRefusal(encoded)}${hint(encoded)}`, maxBytes)
}

export const failureFrame = (diagnostic: string, maxBytes: number): string =>
  errorFrame('exception', diagnostic, maxBytes)

const errorFrame = (kind: CompletionErrorKind, message: string, maxBytes: number): string =>
  JSON.stringify({ type: 'done', error: { kind, message: capDiagnostic(message, maxBytes) } })
