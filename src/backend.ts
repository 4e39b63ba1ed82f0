// What an author of a backend may build on, beside the ports in `code-runtime`.

import { readFile } from 'node:fs/promises'
import { assetPath } from './adapters/assets.js'

/** Two scripts with the guest's half of the protocol. The value of each is a function. */
export interface GuestScripts {
  /** For a realm of its own, whose intrinsics it freezes: `createAgent(services: GuestServices): GuestAgent`. */
  readonly agent: string
  /** For the program's realm, before the program: `createServices(engine: GuestEngine): GuestServices`. */
  readonly realm: string
}

/**
 * The guest's half of the protocol for any engine of ECMAScript: boot and run, bindings and their errors, lossless
 * JSON, the log's budget, diagnostics.
 */
export const readGuestScripts = async (): Promise<GuestScripts> => {
  const [agent, realm] = await Promise.all(
    (['#guest-agent', '#guest-realm'] as const).map((name) => readFile(assetPath(name), 'utf8')),
  )
  return { agent: agent as string, realm: realm as string }
}

export { InProcessTransport } from './adapters/in-process-transport.js'
export type { PortableServices as GuestServices } from './adapters/worker/guest/portable/agent.js'
export type { GuestEngine } from './adapters/worker/guest/portable/realm.js'
export type { Agent as GuestAgent } from './adapters/worker/guest/services.js'
export { capDiagnostic } from './domain/diagnostic.js'
export { checkGuestFrame } from './domain/frame-check.js'
export { sourceExcerpt } from './domain/source-excerpt.js'
