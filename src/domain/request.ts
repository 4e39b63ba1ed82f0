import { MisuseError } from './errors.js'
import type { JsonValue } from './json/value.js'
import { checkErrorMember, checkGlobalName } from './names.js'
import type { RunEvent } from './outcome.js'
import { showValue } from './show.js'

/** A host function. It gets the call's one argument, and a signal that fires when the run ends. */
// biome-ignore lint/suspicious/noExplicitAny: an app declares the shape that it expects
export type BindingFunction = (args: any, context: { readonly signal: AbortSignal }) => unknown

export interface BindingNamespace {
  /** The name of the object in the program's global scope. */
  readonly global: string
  /** Own enumerable members that are functions; others are left out. */
  readonly functions: Readonly<Record<string, BindingFunction>>
  /** The class of the errors that rejected calls raise; without it `Error` or `RuntimeError`. */
  readonly errorClass?: { readonly name: string; readonly memberNameProperty: string } | undefined
}

export interface RunRequest {
  /** The text that the model wrote. */
  readonly program: string
  readonly bindings?: readonly BindingNamespace[] | undefined
  readonly signal?: AbortSignal | undefined
  /** Receives what happens as it happens. What it throws is contained. */
  readonly onEvent?: ((event: RunEvent) => void) | undefined
}

/** A namespace as it was at the call of `run()`. */
export interface NamespaceSnapshot {
  readonly global: string
  readonly errorClass?: { readonly name: string; readonly memberNameProperty: string }
  readonly functions: ReadonlyMap<string, (args: JsonValue, context: { signal: AbortSignal }) => unknown>
}

export interface RequestSnapshot {
  readonly program: string
  readonly namespaces: readonly NamespaceSnapshot[]
  readonly signal?: AbortSignal
  readonly onEvent?: (event: RunEvent) => void
}

/** Reads every field of the caller's objects once. Throws a MisuseError, or what a getter threw. */
export const snapshotRequest = (request: RunRequest): RequestSnapshot => {
  if (typeof request !== 'object' || request === null) throw misuse('the request', 'an object', request)
  const { program, bindings, signal, onEvent } = request
  if (typeof program !== 'string') throw misuse('`program`', 'a string', program)
  if (signal !== undefined && !isAbortSignal(signal)) throw misuse('`signal`', 'an AbortSignal', signal)
  if (onEvent !== undefined && typeof onEvent !== 'function') throw misuse('`onEvent`', 'a function', onEvent)
  const namespaces = snapshotBindings(bindings)
  requireUniqueNames(namespaces)
  return {
    program,
    namespaces,
    ...(signal === undefined ? {} : { signal }),
    ...(onEvent === undefined ? {} : { onEvent }),
  }
}

const isAbortSignal = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value

const snapshotBindings = (bindings: unknown): NamespaceSnapshot[] => {
  if (bindings === undefined) return []
  if (!Array.isArray(bindings)) throw misuse('`bindings`', 'an array', bindings)
  return Array.from(bindings, snapshotNamespace)
}

const snapshotNamespace = (namespace: unknown, index: number): NamespaceSnapshot => {
  const place = `\`bindings[${index}]\``
  if (typeof namespace !== 'object' || namespace === null) throw misuse(place, 'an object', namespace)
  const { global, functions, errorClass } = namespace as Partial<BindingNamespace>
  requireGlobalName(global, `\`bindings[${index}].global\``)
  const declared = snapshotErrorClass(errorClass, index)
  return {
    global,
    functions: snapshotFunctions(functions, index),
    ...(declared === undefined ? {} : { errorClass: declared }),
  }
}

const snapshotFunctions = (functions: unknown, index: number): NamespaceSnapshot['functions'] => {
  if (typeof functions !== 'object' || functions === null) {
    throw misuse(`\`bindings[${index}].functions\``, 'an object of functions', functions)
  }
  const snapshot = new Map<string, (args: JsonValue, context: { signal: AbortSignal }) => unknown>()
  for (const name of Object.keys(functions)) {
    const member = (functions as Record<string, unknown>)[name]
    if (typeof member === 'function') {
      snapshot.set(name, (args, context) => Reflect.apply(member, functions, [args, context]))
    }
  }
  return snapshot
}

const snapshotErrorClass = (errorClass: unknown, index: number): NamespaceSnapshot['errorClass'] => {
  if (errorClass === undefined) return undefined
  const place = `bindings[${index}].errorClass`
  if (typeof errorClass !== 'object' || errorClass === null) throw misuse(`\`${place}\``, 'an object', errorClass)
  const { name, memberNameProperty } = errorClass as { name: unknown; memberNameProperty: unknown }
  requireGlobalName(name, `\`${place}.name\``)
  const problem = checkErrorMember(memberNameProperty)
  if (problem !== undefined) {
    throw new MisuseError(`\`${place}.memberNameProperty\` ${showValue(memberNameProperty)} ${problem}`)
  }
  return { name, memberNameProperty: memberNameProperty as string }
}

function requireGlobalName(name: unknown, place: string): asserts name is string {
  const problem = checkGlobalName(name)
  if (problem !== undefined) throw new MisuseError(`${place} ${showValue(name)} ${problem}`)
}

const requireUniqueNames = (namespaces: readonly NamespaceSnapshot[]): void => {
  const seen = new Set<string>()
  for (const { global, errorClass } of namespaces) {
    for (const name of errorClass === undefined ? [global] : [global, errorClass.name]) {
      if (seen.has(name)) {
        throw new MisuseError(`\`${name}\` is a duplicate: it collides with another injected global of this request`)
      }
      seen.add(name)
    }
  }
}

const misuse = (place: string, expected: string, actual: unknown): MisuseError =>
  new MisuseError(`Expected ${place} to be ${expected}, got ${showValue(actual)}`)
