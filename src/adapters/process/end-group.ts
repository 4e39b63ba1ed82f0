import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendSignal } from './send-signal.js'

const ROUND_MS = 20

/** Ends what is left of a group where the system does not list its processes. Its members were asked before. */
export const endGroup = async (leader: number, graceMs: number): Promise<void> => {
  const untilMs = performance.now() + graceMs
  while (performance.now() < untilMs && sendSignal(-leader, 0)) await sleep(ROUND_MS)
  sendSignal(-leader, 'SIGKILL')
}
