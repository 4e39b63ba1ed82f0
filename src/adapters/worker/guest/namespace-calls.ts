import type { NamespaceDeclaration, ReplyFrame } from '../../../domain/frame.js'
import type { JsonCodec } from '../../../domain/json/codec.js'
import { describeRefusal } from '../../../domain/json/refusal.js'
import { thrownText } from '../../../domain/text.js'
import type { CallSite, DeferredValue, ErrorFactory, RealmServices } from './services.js'

interface CallOrigin {
  readonly name: string
  readonly site: CallSite
  readonly newError: ErrorFactory
}

type PendingCall = CallOrigin & DeferredValue

export interface MissedMember {
  readonly global: string
  readonly name: string
}

const REMEMBERED_MISSES = 16

/** The program's side of bindings: consecutive ids, calls that wait for their reply, members that are not there. */
export class NamespaceCalls {
  readonly misses: MissedMember[] = []
  readonly #realm: RealmServices
  readonly #codec: JsonCodec
  readonly #pending = new Map<number, PendingCall>()
  #namespaces: readonly NamespaceDeclaration[] = []
  #nextId = 0

  constructor(realm: RealmServices, codec: JsonCodec) {
    this.#realm = realm
    this.#codec = codec
  }

  get namespaces(): readonly NamespaceDeclaration[] {
    return this.#namespaces
  }

  declare(namespaces: readonly NamespaceDeclaration[]): void {
    // The frame's arrays belong to the program's realm: copies in this one do not see what it rebinds.
    this.#namespaces = Array.from(namespaces, (declaration) => ({ ...declaration, names: [...declaration.names] }))
    for (const declaration of this.#namespaces) {
      const newError: ErrorFactory = this.#realm.defineNamespace(declaration, {
        call: (name, args, site) => this.#call(declaration.global, args, { name, site, newError }),
        missed: (name) => this.#noteMiss({ global: declaration.global, name }),
      })
    }
  }

  settle(reply: ReplyFrame): void {
    const call = this.#pending.get(reply.id)
    if (call === undefined) return
    this.#pending.delete(reply.id)
    if (reply.ok) call.resolve(reply.value)
    else call.reject(call.newError(call.name, reply.message, call.site))
  }

  #call(global: string, args: readonly unknown[], origin: CallOrigin): unknown {
    const call: PendingCall = { ...this.#realm.newPromise(), ...origin }
    if (args.length > 1) call.reject(this.#realm.typeError(oneArgument(`${global}.${call.name}`, args.length)))
    else this.#send(call, global, args[0] === undefined ? {} : args[0])
    return call.promise
  }

  #send(call: PendingCall, global: string, argument: unknown): void {
    const encoded = this.#codec.encode(argument)
    const reject = (text: string): void => call.reject(call.newError(call.name, text, call.site))
    if (!encoded.ok) return reject(`the argument of ${global}.${call.name} cannot cross: ${describeRefusal(encoded)}`)
    const id = this.#nextId
    try {
      const place = `"global":${JSON.stringify(global)},"name":${JSON.stringify(call.name)}`
      this.#realm.post(`{"type":"call","id":${id},${place},"args":${encoded.text}}`)
    } catch (error) {
      return reject(thrownText(error))
    }
    this.#nextId += 1
    this.#pending.set(id, call)
  }

  #noteMiss(miss: MissedMember): void {
    this.misses.unshift(miss)
    this.misses.length = Math.min(this.misses.length, REMEMBERED_MISSES)
  }
}

const oneArgument = (member: string, given: number): string =>
  `${member} takes one argument, got ${given}: pass one object, as in ${member}({ "name": value })`
