import type { NodeProcess } from '../../src/adapters/process/node-process.js'
import { NodeProcessControl } from '../../src/adapters/process/process-control.js'
import type { ProcessCommand } from '../../src/index.js'

/** Real processes, their pids written down in the order of their start. */
export class RecordingControl extends NodeProcessControl {
  readonly pids: number[] = []

  override spawn(command: ProcessCommand): NodeProcess {
    const process = super.spawn(command)
    if (process.identity !== undefined) this.pids.push(process.identity.pid)
    return process
  }
}
