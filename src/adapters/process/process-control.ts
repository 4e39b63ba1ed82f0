import { spawn } from 'node:child_process'
import { type GuestUsage, NOTHING_MEASURED } from '../../domain/exit.js'
import type { ForkServerCommand, ProcessCommand, ProcessControl, ProcessIdentity } from '../../ports/process-control.js'
import { endDescendants } from './end-descendants.js'
import { endGroup } from './end-group.js'
import { NodeForkServer } from './fork/fork-server.js'
import { NodeProcess } from './node-process.js'
import { ProcFiles, TICK_MS } from './proc-files.js'
import { ProcessFamily } from './process-family.js'
import { newMark } from './run-mark.js'
import { askToEnd, sendSignal } from './send-signal.js'
import { TreeMeter } from './tree-meter.js'

interface Watched {
  readonly family: ProcessFamily
  readonly meter: TreeMeter
}

/** Processes by Node's child_process and, where there is one, /proc. */
export class NodeProcessControl implements ProcessControl {
  readonly #proc: ProcFiles
  readonly #isListed: boolean
  readonly #watched = new WeakMap<ProcessIdentity, Watched>()
  readonly #servers = new WeakMap<ProcessIdentity, NodeForkServer>()

  constructor(proc = new ProcFiles()) {
    this.#proc = proc
    this.#isListed = proc.isThere
  }

  spawn({ file, args, env, cwd, frameCapBytes }: ProcessCommand): NodeProcess {
    const { mark, env: markEnv } = newMark()
    const child = spawn(file, args, {
      cwd,
      // Node adds its coverage variable to every child that does not have it.
      env: { ...env, ...markEnv, NODE_V8_COVERAGE: undefined },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    })
    const { pid } = child
    const identity = pid === undefined ? undefined : this.#identify(pid, mark)
    return new NodeProcess(child, identity, frameCapBytes)
  }

  startForkServer(command: ForkServerCommand): NodeForkServer {
    const server: NodeForkServer = new NodeForkServer(command, {
      spawn: (each) => this.spawn(each),
      identify: (pid, mark) => {
        const identity = this.#identify(pid, mark)
        this.#servers.set(identity, server)
        this.#watch(identity)
        return identity
      },
      kill: (identity) => this.signalGroup(identity, 'SIGKILL'),
      endDescendants: (identity) => this.endDescendants(identity, 0),
      isAlive: (identity) => this.#isAlive(identity),
    })
    return server
  }

  signalGroup(root: ProcessIdentity, signal: 'SIGTERM' | 'SIGKILL'): boolean {
    return this.#servers.get(root)?.signal(root, signal) ?? this.#signalGroup(root, signal)
  }

  #signalGroup(root: ProcessIdentity, signal: 'SIGTERM' | 'SIGKILL'): boolean {
    const leader = this.#proc.stat(root.pid)
    const isOther = leader !== undefined && root.startTime !== undefined && leader.startTime !== root.startTime
    if (isOther) return false
    return signal === 'SIGTERM' ? askToEnd(-root.pid) : sendSignal(-root.pid, signal)
  }

  endDescendants(root: ProcessIdentity, graceMs: number): Promise<void> {
    if (!this.#isListed) return endGroup(root.pid, graceMs)
    return endDescendants(this.#proc, this.#watch(root).family, graceMs)
  }

  treeUsage(root: ProcessIdentity): GuestUsage {
    const { family, meter } = this.#watch(root)
    const stats = family.look()
    const isThere = stats.some(({ pid }) => pid === root.pid)
    if (!isThere && !meter.hasRead) return NOTHING_MEASURED
    const peakMemoryBytes = isThere ? this.#proc.peakMemoryBytes(root.pid) : null
    return { cpuMs: meter.ticks(stats) * TICK_MS, peakMemoryBytes }
  }

  #identify(pid: number, mark: string): ProcessIdentity {
    return { pid, startTime: this.#proc.stat(pid)?.startTime, mark }
  }

  /** No zombie. What cannot be looked at, for want of a descriptor for instance, is asked by a signal. */
  #isAlive({ pid, startTime }: ProcessIdentity): boolean {
    const stat = this.#proc.stat(pid)
    if (stat === undefined) return sendSignal(pid, 0)
    return (startTime ?? stat.startTime) === stat.startTime && stat.state !== 'Z' && stat.state !== 'X'
  }

  /** From the first look on, which comes before the process gets a program. */
  #watch(root: ProcessIdentity): Watched {
    const known = this.#watched.get(root)
    if (known !== undefined) return known
    const watched = { family: new ProcessFamily(this.#proc, root), meter: new TreeMeter() }
    this.#watched.set(root, watched)
    return watched
  }
}
