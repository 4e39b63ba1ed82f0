import type { NamespaceDeclaration } from '../../../domain/frame.js'
import type { OutputStream } from '../../../domain/outcome.js'

/** What the agent, in a realm of its own, needs from the program's realm. Taken once, before the program starts. */
export interface RealmServices {
  /** Posts a text to the host. */
  post(text: string): void
  /** JSON.parse that makes values of the program's realm. */
  parse(text: string): unknown
  utf8Bytes(text: string): number
  hasOnlyIndices(array: readonly unknown[]): boolean
  isError(value: unknown): boolean
  /** The host's folder, which no diagnostic shows. */
  readonly cwd: string
  /** A value as Node's inspect renders it, bounded. */
  inspect(value: unknown): string
  /** Puts a namespace, and its error class, into the program's global scope. */
  defineNamespace(declaration: NamespaceDeclaration, agent: NamespaceAgent): ErrorFactory
  /** A promise of the program's realm. */
  newPromise(): DeferredValue
  typeError(message: string): unknown
  /** Prints what is left of characters that were printed in part. */
  endOutput(): void
  /** Lines of `<model>` above the program's own, where the engine cannot be told to count from another. */
  readonly linesAbove?: number
  /** Compiles the program and runs it from a clean stack. */
  start(code: string, returned: (value: unknown) => void, threw: (error: unknown) => void): void
}

export interface NamespaceAgent {
  /** A member was called, from a place that an error which is made later should show. */
  call(name: string, args: readonly unknown[], site: CallSite): unknown
  /** A member was read that is not declared. */
  missed(name: string): void
}

export type ErrorFactory = (name: string, message: string, site: CallSite) => unknown

export interface CallSite {
  readonly stack?: string
}

export interface DeferredValue {
  readonly promise: unknown
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** What the agent offers to the program's realm. */
export interface Agent {
  /** A text from the host. */
  receive(text: string): void
  /** Text that the program printed. */
  print(stream: OutputStream, text: string): void
  /** An uncaught throw or a floating rejection. */
  fail(error: unknown): void
}
