import type { JsonValue } from './json/value.js'
import type { OutputStream } from './outcome.js'

/** The file descriptor of the channel in a guest process. */
export const PROTOCOL_FD = 3

export interface NamespaceDeclaration {
  readonly global: string
  readonly names: readonly string[]
  readonly errorClass?: { readonly name: string; readonly memberNameProperty: string }
}

/** Limits that a guest enforces itself. Those of another isolation are left out. */
export interface BootLimits {
  readonly cpuSeconds?: number
  readonly addressSpaceBytes?: number
  readonly maxLogBytes: number
  readonly maxValueBytes: number
}

export interface BootFrame extends BootLimits {
  readonly type: 'boot'
  readonly namespaces: readonly NamespaceDeclaration[]
}

export interface RunFrame {
  readonly type: 'run'
  readonly program: string
}

export type ReplyFrame =
  | { readonly type: 'reply'; readonly id: number; readonly ok: true; readonly value: JsonValue }
  | { readonly type: 'reply'; readonly id: number; readonly ok: false; readonly message: string }

export type HostFrame = BootFrame | RunFrame | ReplyFrame

export interface BootAckFrame {
  readonly type: 'boot-ack'
}

export interface CallFrame {
  readonly type: 'call'
  readonly id: number
  readonly global: string
  readonly name: string
  readonly args: JsonValue
}

export interface LogFrame {
  readonly type: 'log'
  readonly text: string
  readonly stream?: OutputStream
  readonly open?: true
  readonly truncated?: true
}

export type CompletionErrorKind = 'exception' | 'invalid-output' | 'output-limit'

export interface DoneFrame {
  readonly type: 'done'
  readonly value?: JsonValue
  readonly error?: { readonly kind: CompletionErrorKind; readonly message: string }
}

export type GuestFrame = BootAckFrame | CallFrame | LogFrame | DoneFrame

type FieldType =
  | 'string'
  | 'integer'
  | 'boolean'
  | 'json'
  | 'true'
  | 'string[]'
  | 'namespace[]'
  | Readonly<Record<string, 'string'>>

interface FieldShape {
  readonly required: Readonly<Record<string, FieldType>>
  readonly optional: Readonly<Record<string, FieldType>>
}

/** The vocabulary as data, for comparison with a guest's own declaration of it. */
export const WIRE: Readonly<Record<string, FieldShape>> = {
  boot: {
    required: { type: 'string', maxLogBytes: 'integer', maxValueBytes: 'integer', namespaces: 'namespace[]' },
    // A limit is there when the isolation has it.
    optional: { cpuSeconds: 'integer', addressSpaceBytes: 'integer' },
  },
  namespace: {
    required: { global: 'string', names: 'string[]' },
    optional: { errorClass: { name: 'string', memberNameProperty: 'string' } },
  },
  'boot-ack': { required: { type: 'string' }, optional: {} },
  run: { required: { type: 'string', program: 'string' }, optional: {} },
  call: {
    required: { type: 'string', id: 'integer', global: 'string', name: 'string', args: 'json' },
    optional: {},
  },
  reply: {
    required: { type: 'string', id: 'integer', ok: 'boolean' },
    optional: { value: 'json', message: 'string' },
  },
  log: {
    required: { type: 'string', text: 'string' },
    optional: { stream: 'string', open: 'true', truncated: 'true' },
  },
  done: { required: { type: 'string' }, optional: { value: 'json', error: { kind: 'string', message: 'string' } } },
}
