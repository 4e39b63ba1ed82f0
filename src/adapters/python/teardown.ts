import type { Clock } from '../../ports/clock.js'
import type { ProcessControl, ProcessIdentity } from '../../ports/process-control.js'
import type { StagedFile } from './staging.js'
import { withinMs } from './within-ms.js'

export interface TeardownOptions {
  readonly started: Promise<ProcessIdentity | undefined>
  readonly exited: Promise<unknown>
  readonly graceMs: number
  readonly staged: StagedFile
  readonly clock: Clock
  readonly processControl: ProcessControl
}

/** Ends a guest's group and whatever left it: SIGTERM, and after the grace SIGKILL. Never rejects. */
export const tearDown = async (options: TeardownOptions): Promise<void> => {
  try {
    await endTree(options)
  } catch {
    // A process control that throws has ended what it could.
  } finally {
    options.staged.remove()
  }
}

const endTree = async ({ started, exited, graceMs, staged, clock, processControl }: TeardownOptions): Promise<void> => {
  const identity = await started
  if (identity === undefined) return
  const untilMs = clock.now() + graceMs
  processControl.signalGroup(identity, 'SIGTERM')
  if (!(await withinMs(exited, graceMs, clock))) {
    processControl.signalGroup(identity, 'SIGKILL')
    staged.remove()
  }
  await exited
  await processControl.endDescendants(identity, Math.max(0, untilMs - clock.now()))
}
