import { MIB } from './units.js'

const MAX_FRAME_BYTES = 64 * MIB
const HOST_BASELINE_BYTES = 64 * MIB
const PARSE_COST_FACTOR = 16

/** The largest inbound frame that a host with this V8 heap can parse without exhausting it. */
export const frameCapBytes = (heapLimitBytes: number): number =>
  Math.min(MAX_FRAME_BYTES, Math.floor((heapLimitBytes - HOST_BASELINE_BYTES) / PARSE_COST_FACTOR))
