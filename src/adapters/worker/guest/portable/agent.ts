// The agent for an engine that has the intrinsics of ECMAScript and nothing else.

import type { JsonEngine } from '../../../../domain/json/engine.js'
import { plainJsonEngine } from '../../../../domain/json/plain-engine.js'
import { createAgent as createAgentOn } from '../bridge.js'
import type { Agent, RealmServices } from '../services.js'

/** What the program's realm gives; the JSON engine is of the agent's own realm. */
export type PortableServices = Omit<RealmServices, keyof JsonEngine>

export const createAgent = (services: PortableServices): Agent => createAgentOn({ ...services, ...plainJsonEngine })

export { freezeIntrinsics } from '../intrinsics.js'
