import { type ChildProcess, spawn } from 'node:child_process'
import { SystemClock } from '../../src/adapters/system-clock.js'
import { SwcTransformer } from '../../src/adapters/typescript/transformer.js'
import { WorkerLauncher } from '../../src/adapters/worker/launcher.js'
import type { Guest, GuestFrame, GuestSink, Launcher, StopReason } from '../../src/index.js'

/** One thing that a backend does wrong. */
export interface Fault {
  /** The frames that reach the host instead of one of the guest's. */
  readonly frames?: (frame: GuestFrame) => readonly object[]
  /** Whether a stop does not reach the guest. */
  readonly ignoresStop?: (reason: StopReason) => boolean
  /** What it starts beside each guest, and never ends. */
  readonly leak?: () => ChildProcess
}

/** A real backend with one fault. */
export class FaultyLauncher {
  readonly leaked: ChildProcess[] = []
  readonly #fault: Fault

  constructor(fault: Fault) {
    this.#fault = fault
  }

  create(): Launcher {
    const real = new WorkerLauncher({ transformer: new SwcTransformer(), clock: new SystemClock(), warm: 0 })
    return {
      language: real.language,
      isolation: real.isolation,
      prepare: (program) => real.prepare(program),
      launch: (options) => this.#spoil(real.launch(options)),
      dispose: () => real.dispose(),
    }
  }

  #spoil(guest: Guest): Guest {
    const { ignoresStop = () => false, leak } = this.#fault
    if (leak !== undefined) this.leaked.push(leak())
    return {
      transport: guest.transport,
      stopWithinMs: guest.stopWithinMs,
      start: (sink) => guest.start(this.#spoilSink(sink)),
      usage: () => guest.usage(),
      ...(guest.ended && { ended: guest.ended }),
      stop: (reason) => {
        if (!ignoresStop(reason)) guest.stop(reason)
      },
    }
  }

  #spoilSink(sink: GuestSink): GuestSink {
    const { frames = (frame) => [frame] } = this.#fault
    return {
      frame: (text) => {
        for (const frame of frames(JSON.parse(text) as GuestFrame)) {
          const sent = JSON.stringify(frame)
          sink.frame(sent, Buffer.byteLength(sent))
        }
      },
      overflow: (capBytes) => sink.overflow(capBytes),
      stray: (stream, chunk) => sink.stray(stream, chunk),
      budget: (message) => sink.budget(message),
      broken: (message) => sink.broken(message),
      gone: (exit) => sink.gone(exit),
    }
  }
}

/** A process that lives until it is killed. */
export const lastingProcess = (): ChildProcess =>
  spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })
