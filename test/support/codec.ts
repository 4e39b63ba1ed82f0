import { nodeJsonEngine } from '../../src/adapters/json-engine.js'
import { createJsonCodec } from '../../src/domain/json/codec.js'

export const codec = createJsonCodec(nodeJsonEngine)
