import type { NamespaceDeclaration } from '../../../domain/frame.js'
import type { CallSite, DeferredValue, ErrorFactory, NamespaceAgent } from './services.js'

const { defineProperty, create } = Object
const { construct } = Reflect
// Other engines than V8 may lack it.
const { captureStackTrace } = Error as { captureStackTrace?: typeof Error.captureStackTrace }
const ProgramPromise = Promise
const ProgramError = Error
const ProgramRangeError = RangeError
const OVERFLOW = 'Maximum call stack size exceeded'
const NamespaceProxy = Proxy

type ErrorClassOf = new (message?: string, member?: string) => Error
type Member = (...args: unknown[]) => unknown

/** Makes a namespace and its error class, and hands them to what defines globals. */
export const namespaceDefiner =
  (define: (name: string, value: unknown) => void) =>
  (declaration: NamespaceDeclaration, agent: NamespaceAgent): ErrorFactory => {
    define(declaration.global, newNamespace(declaration.names, agent))
    const { errorClass } = declaration
    if (errorClass === undefined) return (_name, message, site) => withSite(new ProgramError(message), site)
    const ErrorClass = newErrorClass(errorClass)
    define(errorClass.name, ErrorClass)
    return (name, message, site) => withSite(construct(ErrorClass, [message, name]) as Error, site)
  }

/** Puts a name into the program's global scope. */
export const defineGlobal = (name: string, value: unknown): void => {
  defineProperty(globalThis, name, data(value))
}

// Without a prototype: a program can put `get` on Object.prototype.
const data = (value: unknown, enumerable = true): PropertyDescriptor =>
  ({ __proto__: null, value, enumerable, writable: true, configurable: true }) as PropertyDescriptor

// Reading a member that is not declared gives undefined, as from any object; the agent remembers it for a diagnostic.
const newNamespace = (names: readonly string[], agent: NamespaceAgent): object => {
  const members: Record<PropertyKey, unknown> = create(null)
  for (const name of names) {
    defineProperty(members, name, data(newMember(name, agent)))
  }
  return new NamespaceProxy(members, {
    __proto__: null,
    get: (target: typeof members, key: string | symbol) => {
      if (!(key in target) && typeof key === 'string') noteMissed(agent, key)
      return target[key]
    },
  } as ProxyHandler<typeof members>)
}

const noteMissed = (agent: NamespaceAgent, name: string): void => {
  try {
    agent.missed(name)
  } catch {
    throw new ProgramRangeError(OVERFLOW)
  }
}

// An error of the agent's own realm (a stack overflow in it) must not reach the program.
const newMember = (name: string, agent: NamespaceAgent): Member => {
  const members: Record<string, Member> = {
    [name](...args) {
      try {
        return agent.call(name, args, captureSite(members[name]))
      } catch {
        throw new ProgramRangeError(OVERFLOW)
      }
    },
  }
  return members[name] as Member
}

const newErrorClass = ({ name, memberNameProperty }: { name: string; memberNameProperty: string }): ErrorClassOf => {
  const ErrorClass = class extends ProgramError {
    constructor(message?: string, member?: string) {
      super(message)
      defineProperty(this, 'name', data(name, false))
      defineProperty(this, memberNameProperty, data(member))
    }
  }
  defineProperty(ErrorClass, 'name', { value: name, configurable: true })
  return ErrorClass
}

/** The stack that an error of the program would have here. V8 formats it only when it is read. */
const captureSite = (member: Member | undefined): CallSite => {
  const site: CallSite = create(null)
  if (captureStackTrace === undefined) return new ProgramError()
  captureStackTrace(site, member)
  return site
}

const withSite = (error: Error, site: CallSite): Error => {
  try {
    const { name, message } = error
    const { stack = '' } = site
    const value = `${name}: ${message}${stack.slice(stack.indexOf('\n'))}`
    return defineProperty(error, 'stack', data(value, false))
  } catch {
    return error
  }
}

/** A promise of the program's realm and its two ends. */
export const newPromise = (): DeferredValue => {
  let resolve!: DeferredValue['resolve']
  let reject!: DeferredValue['reject']
  const promise = new ProgramPromise((resolveWith, rejectWith) => {
    resolve = resolveWith
    reject = rejectWith
  })
  return { promise, resolve, reject }
}
