import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Duplex, Readable } from 'node:stream'
import { PROTOCOL_FD } from '../../domain/frame.js'
import type {
  ControlledProcess,
  ProcessCommand,
  ProcessControl,
  ProcessExit,
  ProcessIdentity,
} from '../../ports/process-control.js'
import { endDescendants, sendSignal } from './end-descendants.js'
import { PipeTransport } from './pipe-transport.js'
import { readStat } from './proc-files.js'
import { treeUsage } from './process-tree.js'

const MARK = 'CODE_RUNTIME_RUN'

/** Processes by Node's child_process and, where there is one, /proc. */
export class NodeProcessControl implements ProcessControl {
  spawn({ file, args, env, cwd, frameCapBytes }: ProcessCommand): ControlledProcess {
    const mark = randomUUID()
    const child = spawn(file, args, {
      cwd,
      env: { ...env, [MARK]: mark },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    })
    return new NodeProcess(child, `${MARK}=${mark}`, frameCapBytes)
  }

  signalGroup(root: ProcessIdentity, signal: 'SIGTERM' | 'SIGKILL'): boolean {
    const leader = readStat(root.pid)
    const isOther = leader !== undefined && root.startTime !== undefined && leader.startTime !== root.startTime
    return !isOther && sendSignal(-root.pid, signal)
  }

  endDescendants(root: ProcessIdentity): Promise<void> {
    return endDescendants(root)
  }

  treeUsage = treeUsage
}

class NodeProcess implements ControlledProcess {
  readonly identity: ProcessIdentity | undefined
  readonly channel: PipeTransport
  readonly stdout: Readable
  readonly stderr: Readable
  readonly #child: ChildProcess

  constructor(child: ChildProcess, mark: string, frameCapBytes: number) {
    const { pid, stdio } = child
    this.#child = child
    this.identity = pid === undefined ? undefined : { pid, startTime: readStat(pid)?.startTime, mark }
    this.channel = new PipeTransport(stdio[PROTOCOL_FD] as Duplex, frameCapBytes)
    this.stdout = stdio[1] as Readable
    this.stderr = stdio[2] as Readable
  }

  onExit(exited: (exit: ProcessExit) => void): void {
    this.#child.once('error', (startFailure) => exited({ startFailure }))
    this.#child.once('exit', (code, signal) => exited({ code, signal }))
  }

  onClose(closed: () => void): void {
    this.#child.once('close', closed)
  }
}
