import type { Clock } from '../../ports/clock.js'
import { withinMs } from './within-ms.js'

/** How long a guest that has exited may keep others waiting on pipes that its descendants hold. */
const QUIET_MS = 100
/** The pipes of a guest that has exited hold less. */
const MOST_BYTES = 1_048_576

export interface DrainOptions {
  readonly closed: Promise<void>
  /** Counts what has come from the guest. */
  readonly receivedBytes: () => number
  readonly mostMs: number
  readonly clock: Clock
}

/**
 * Waits for what a guest wrote before it exited, however late the host comes to read it: until its streams are closed,
 * or nothing comes any more, or more came than it can have left.
 */
export const drain = async ({ closed, receivedBytes, mostMs, clock }: DrainOptions): Promise<void> => {
  const untilMs = clock.now() + mostMs
  const mostBytes = receivedBytes() + MOST_BYTES
  for (let seen = -1; seen !== receivedBytes() && receivedBytes() < mostBytes && clock.now() < untilMs; ) {
    seen = receivedBytes()
    if (await withinMs(closed, QUIET_MS, clock)) return
    await new Promise<void>((resolve) => clock.afterTurn(resolve))
  }
}
