import { capDiagnostic } from './diagnostic.js'
import type { DoneFrame } from './frame.js'
import type { JsonCodec } from './json/codec.js'
import type { Completion } from './run-events.js'

export const LOSSLESS_COMPLETION = 'the program completion must be lossless JSON'

export const outputLimitMessage = (maxValueBytes: number): string =>
  `completion over ${maxValueBytes} bytes (maxValueBytes): return less, or a summary`

/** The host's own check of what a guest reported: an error counts before a value, over budget before lossy. */
export const checkCompletion = (done: DoneFrame, codec: JsonCodec, maxValueBytes: number): Completion => {
  if (done.error !== undefined) {
    const { kind, message } = done.error
    return { error: { kind, message: capDiagnostic(message, maxValueBytes) } }
  }
  if (done.value === undefined) return {}
  const measured = codec.measure(done.value, maxValueBytes)
  switch (measured.kind) {
    case 'fits':
      return { value: done.value }
    case 'over-budget':
      return {
        error: { kind: 'output-limit', message: capDiagnostic(outputLimitMessage(maxValueBytes), maxValueBytes) },
      }
    case 'lossy':
      return { error: { kind: 'invalid-output', message: lossyMessage(measured, maxValueBytes) } }
  }
}

const lossyMessage = (lossy: { path: string; reason: string }, maxValueBytes: number): string =>
  capDiagnostic(`${LOSSLESS_COMPLETION}: ${lossy.path}: ${lossy.reason} (a non-lossless number)`, maxValueBytes)
