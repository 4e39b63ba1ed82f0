import type { CallFrame, CompletionErrorKind, DoneFrame, GuestFrame, LogFrame } from './frame.js'
import { hasLossyNumber } from './json/lossy-number.js'
import type { JsonValue } from './json/value.js'

type Fields = Readonly<Record<string, unknown>>

const COMPLETION_ERRORS: ReadonlySet<unknown> = new Set<CompletionErrorKind>([
  'exception',
  'invalid-output',
  'output-limit',
])

/** Rebuilds what a guest sent, field by field. Undefined when anything in it does not fit. */
export const checkGuestFrame = (frame: unknown): GuestFrame | undefined => {
  if (typeof frame !== 'object' || frame === null) return undefined
  const fields = frame as Fields
  switch (own(fields, 'type')) {
    case 'boot-ack':
      return { type: 'boot-ack' }
    case 'call':
      return checkCall(fields)
    case 'log':
      return checkLog(fields)
    case 'done':
      return checkDone(fields)
    default:
      return undefined
  }
}

const own = (fields: Fields, name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined)

const checkCall = (fields: Fields): CallFrame | undefined => {
  const id = own(fields, 'id')
  const global = own(fields, 'global')
  const name = own(fields, 'name')
  const args = own(fields, 'args')
  if (typeof id !== 'number' || !Number.isFinite(id) || Object.is(id, -0)) return undefined
  if (typeof global !== 'string' || typeof name !== 'string') return undefined
  if (args === undefined || hasLossyNumber(args)) return undefined
  return { type: 'call', id, global, name, args: args as JsonValue }
}

const checkLog = (fields: Fields): LogFrame | undefined => {
  const text = own(fields, 'text')
  const stream = own(fields, 'stream')
  if (typeof text !== 'string') return undefined
  if (stream !== undefined && stream !== 'stdout' && stream !== 'stderr') return undefined
  return {
    type: 'log',
    text,
    ...(stream === undefined ? {} : { stream }),
    ...(own(fields, 'open') === true ? { open: true } : {}),
    ...(own(fields, 'truncated') === true ? { truncated: true } : {}),
  }
}

// The value's numbers are checked later, together with its size.
const checkDone = (fields: Fields): DoneFrame | undefined => {
  const value = own(fields, 'value')
  const error = own(fields, 'error')
  const completion = value === undefined ? {} : { value: value as JsonValue }
  if (error === undefined) return { type: 'done', ...completion }
  const checked = checkCompletionError(error)
  return checked === undefined ? undefined : { type: 'done', ...completion, error: checked }
}

const checkCompletionError = (error: unknown): DoneFrame['error'] | undefined => {
  if (typeof error !== 'object' || error === null) return undefined
  const kind = own(error as Fields, 'kind')
  const message = own(error as Fields, 'message')
  if (typeof message !== 'string' || !COMPLETION_ERRORS.has(kind)) return undefined
  return { kind: kind as CompletionErrorKind, message }
}
