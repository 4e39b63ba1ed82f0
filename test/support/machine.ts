import type { GuestExit, GuestUsage } from '../../src/domain/exit.js'
import type { BootLimits, HostFrame } from '../../src/domain/frame.js'
import type { FailureKind, RunEvent, RunResult } from '../../src/domain/outcome.js'
import type { NamespaceSnapshot } from '../../src/domain/request.js'
import type { RunEffect, RunInput } from '../../src/domain/run-events.js'
import { Settlement } from '../../src/domain/settlement.js'
import { codec } from './codec.js'

export interface MachineOptions extends Partial<BootLimits> {
  readonly namespaces?: readonly NamespaceSnapshot[]
  readonly maxBindingCalls?: number
  readonly startedAtMs?: number
  /** The run's turn has not come. */
  readonly isWaiting?: boolean
}

const GONE: GuestExit = { type: 'exited', code: 0 }
export const COST: GuestUsage = { cpuMs: 12, peakMemoryBytes: 34 }

type EffectOf<Type extends RunEffect['type']> = Extract<RunEffect, { type: Type }>

/** A settlement with the test for a driver: it feeds inputs and keeps every effect. */
export class Machine {
  readonly effects: RunEffect[] = []
  nowMs: number
  readonly #settlement: Settlement

  constructor(options: MachineOptions = {}) {
    const {
      namespaces = [],
      maxBindingCalls = Number.POSITIVE_INFINITY,
      startedAtMs = 0,
      isWaiting,
      ...limits
    } = options
    this.nowMs = startedAtMs
    this.#settlement = new Settlement({
      namespaces,
      bootLimits: { maxLogBytes: 65_536, maxValueBytes: 1_048_576, ...limits },
      maxBindingCalls,
      codec,
      now: () => this.nowMs,
    })
    if (!isWaiting) this.step({ type: 'begun' })
  }

  get isDecided(): boolean {
    return this.#settlement.isDecided
  }

  /** What one input causes. */
  step(input: RunInput): RunEffect[] {
    const effects = this.#settlement.step(input)
    this.effects.push(...effects)
    return effects
  }

  /** A frame of the guest, as text or as what it is parsed to. */
  frame(frame: string | object): RunEffect[] {
    const text = typeof frame === 'string' ? frame : JSON.stringify(frame)
    return this.step({ type: 'frame', text, bytes: Buffer.byteLength(text) })
  }

  call(id: number, name = 'echo', args: unknown = {}): RunEffect[] {
    return this.frame({ type: 'call', id, global: 'tools', name, args })
  }

  answer(id: number, value: unknown = null): RunEffect[] {
    return this.step({ type: 'answered', id, answer: { ok: true, value } })
  }

  end(kind: FailureKind, message: string): RunEffect[] {
    return this.step({ type: 'ended', kind, message })
  }

  stray(text: string): RunEffect[] {
    return this.step({ type: 'stray', stream: 'stdout', chunk: Buffer.from(text) })
  }

  gone(exit: GuestExit = GONE, usage: GuestUsage = COST): RunEffect[] {
    return this.step({ type: 'gone', exit, usage })
  }

  of<Type extends RunEffect['type']>(type: Type): EffectOf<Type>[] {
    return this.effects.filter((effect): effect is EffectOf<Type> => effect.type === type)
  }

  get sent(): HostFrame[] {
    return this.of('send').map(({ text }) => JSON.parse(text) as HostFrame)
  }

  get events(): RunEvent[] {
    return this.of('emit').map(({ event }) => event)
  }

  get states(): string[] {
    return this.events.flatMap((event) => (event.type === 'state' ? [event.state] : []))
  }

  get result(): RunResult {
    const [finish, ...others] = this.of('finish')
    if (finish === undefined || others.length > 0) throw new Error(`the run finished ${others.length} times too often`)
    return finish.result
  }
}

/** A namespace `tools` whose members note their arguments and answer with them. */
export const tools = (...names: string[]): { namespace: NamespaceSnapshot; calls: unknown[][] } => {
  const calls: unknown[][] = []
  const functions = new Map(
    names.map((name) => [
      name,
      (args: unknown, context: unknown) => {
        calls.push([name, args, context])
        return args
      },
    ]),
  )
  return { namespace: { global: 'tools', functions }, calls }
}

const PROGRAM = 'return 1'

/** Boot was sent and taken. */
export const bootingMachine = (options?: MachineOptions): Machine => {
  const machine = new Machine(options)
  machine.step({ type: 'launched', program: PROGRAM })
  machine.step({ type: 'sent' })
  return machine
}

/** The program was sent and taken. A namespace `tools` with `echo` is there unless others are given. */
export const runningMachine = (options: MachineOptions = {}): Machine => {
  const machine = bootingMachine({ namespaces: [tools('echo').namespace], ...options })
  machine.frame({ type: 'boot-ack' })
  machine.step({ type: 'sent' })
  return machine
}
