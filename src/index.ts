import type { CodeRuntimeOptions } from './adapters/options.js'
import type { CodeRuntime } from './runtime.js'

/**
 * Makes a runtime. Everything that can be known is checked before it resolves: a bad option rejects with a
 * ConfigurationError that names the option, the bound and the value.
 */
export const createCodeRuntime = async (options: CodeRuntimeOptions = {}): Promise<CodeRuntime> => {
  const { buildRuntime } = await import('./container.js')
  return buildRuntime(options)
}

export type { AdapterOptions, CodeRuntimeOptions, ForkServerOptions } from './adapters/options.js'
export { CodeRuntimeError, ConfigurationError, type ErrorCode, InternalError, MisuseError } from './domain/errors.js'
export type { GuestExit, GuestUsage } from './domain/exit.js'
export {
  type BootFrame,
  type CallFrame,
  type DoneFrame,
  type GuestFrame,
  type HostFrame,
  type LogFrame,
  type NamespaceDeclaration,
  PROTOCOL_FD,
  type ReplyFrame,
  type RunFrame,
} from './domain/frame.js'
export type { JsonValue } from './domain/json/value.js'
export { truncationMarker } from './domain/ledger.js'
export type { LimitName, Limits, ResolvedLimits } from './domain/limits.js'
export {
  isDunder,
  isPortableIdentifier,
  isReservedWord,
  RESERVED_ERROR_MEMBERS,
  RUNTIME_OWNED_NAMES,
} from './domain/names.js'
export {
  type CallRecord,
  type CallState,
  FAILURE_KINDS,
  type FailureKind,
  type OutputStream,
  type RunEvent,
  type RunFailure,
  type RunResult,
  type RunState,
  type Usage,
} from './domain/outcome.js'
export type { BindingFunction, BindingNamespace, RunRequest } from './domain/request.js'
export type { StopReason } from './domain/run-events.js'
export type { CancelTimer, Clock } from './ports/clock.js'
export type { Guest, GuestSink } from './ports/guest.js'
export type { Launcher, LaunchOptions, PreparedProgram } from './ports/launcher.js'
export type {
  ControlledProcess,
  ForkServer,
  ForkServerCommand,
  ForkServerStart,
  PreparedInterpreter,
  ProcessCommand,
  ProcessControl,
  ProcessExit,
  ProcessIdentity,
} from './ports/process-control.js'
export type { Transformed, Transformer } from './ports/transformer.js'
export type { Transport, TransportReceiver } from './ports/transport.js'
export type { CodeRuntime } from './runtime.js'
