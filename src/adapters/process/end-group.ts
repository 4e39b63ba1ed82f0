import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendSignal } from './send-signal.js'

const ROUND_MS = 20
/** How long those that were killed are waited for: their zombies count while nobody takes them. */
const KILLED_MS = 1_000

/** Ends what is left of a group where the system does not list its processes. Its members were asked before. */
export const endGroup = async (leader: number, graceMs: number): Promise<void> => {
  await goneWithin(leader, graceMs)
  if (sendSignal(-leader, 'SIGKILL')) await goneWithin(leader, KILLED_MS)
}

const goneWithin = async (leader: number, ms: number): Promise<void> => {
  const untilMs = performance.now() + ms
  while (performance.now() < untilMs && sendSignal(-leader, 0)) await sleep(ROUND_MS)
}
