import type { HostFrame, NamespaceDeclaration, ReplyFrame } from '../../domain/frame.js'
import type { JsonCodec } from '../../domain/json/codec.js'
import { describeRefusal } from '../../domain/json/refusal.js'
import type { FakeTransport } from '../fake-transport.js'

interface PendingCall {
  readonly resolve: (value: unknown) => void
  readonly reject: (message: string) => void
}

/** The guest's side of bindings: calls that wait for their replies. */
export class GuestCalls {
  readonly #transport: FakeTransport
  readonly #codec: JsonCodec
  readonly #namespaces: readonly NamespaceDeclaration[]
  readonly #pending = new Map<number, PendingCall>()
  #nextId = 0

  constructor(transport: FakeTransport, codec: JsonCodec, namespaces: readonly NamespaceDeclaration[]) {
    this.#transport = transport
    this.#codec = codec
    this.#namespaces = namespaces
    transport.onSent((frame) => this.#hear(frame))
  }

  call(global: string, name: string, args: unknown = {}): Promise<unknown> {
    const encoded = this.#codec.encode(args)
    return new Promise((resolve, refuse) => {
      const reject = (message: string): void => refuse(this.#newError(global, name, message))
      if (!encoded.ok) return reject(`the argument of ${global}.${name} cannot cross: ${describeRefusal(encoded)}`)
      const id = this.#nextId
      this.#nextId += 1
      this.#pending.set(id, { resolve, reject })
      const place = `"global":${JSON.stringify(global)},"name":${JSON.stringify(name)}`
      this.#transport.receiveText(`{"type":"call","id":${id},${place},"args":${encoded.text}}`)
    })
  }

  #hear(frame: HostFrame): void {
    if (frame.type === 'reply') this.#settle(frame)
  }

  #settle(reply: ReplyFrame): void {
    const call = this.#pending.get(reply.id)
    this.#pending.delete(reply.id)
    if (reply.ok) call?.resolve(reply.value)
    else call?.reject(reply.message)
  }

  #newError(global: string, name: string, message: string): Error {
    const error = new Error(message)
    const errorClass = this.#namespaces.find((declared) => declared.global === global)?.errorClass
    if (errorClass === undefined) return error
    return Object.assign(error, { name: errorClass.name, [errorClass.memberNameProperty]: name })
  }
}
