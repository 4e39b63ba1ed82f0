import { setMaxListeners } from 'node:events'
import { Drive } from './adapters/drive.js'
import { Admission } from './domain/admission.js'
import { capDiagnostic } from './domain/diagnostic.js'
import { MisuseError } from './domain/errors.js'
import type { BootLimits } from './domain/frame.js'
import type { JsonCodec } from './domain/json/codec.js'
import { limitApplies, type ResolvedLimits } from './domain/limits.js'
import type { RunResult } from './domain/outcome.js'
import { type RequestSnapshot, type RunRequest, snapshotRequest } from './domain/request.js'
import { thrownText } from './domain/text.js'
import { MIB } from './domain/units.js'
import type { Clock } from './ports/clock.js'
import type { Launcher, PreparedProgram } from './ports/launcher.js'

/** Runs programs, each in a fresh guest. Made by `createCodeRuntime()`. */
export interface CodeRuntime extends AsyncDisposable {
  /** The language of the programs. */
  readonly language: string
  /** What a guest is. Informs; no security claim. */
  readonly isolation: string
  /**
   * Runs one program. Resolves for every outcome of it; rejects with a MisuseError for a disposed runtime or a bad
   * request, and with whatever a getter of the request throws.
   */
  run(request: RunRequest): Promise<RunResult>
  /** Ends every run as `abort`; resolves when every guest and all that it left behind is gone. Idempotent. */
  dispose(): Promise<void>
}

export interface RuntimeParts {
  readonly launcher: Launcher
  readonly clock: Clock
  readonly codec: JsonCodec
  readonly limits: ResolvedLimits
  readonly frameCapBytes: number
  /** How many runs have a guest at a time. */
  readonly maxConcurrentRuns: number
}

export class GuestRuntime implements CodeRuntime {
  readonly #parts: RuntimeParts
  readonly #admission: Admission
  readonly #active = new Map<Drive, Promise<unknown>>()
  #disposal: Promise<void> | undefined

  constructor(parts: RuntimeParts) {
    this.#parts = parts
    this.#admission = new Admission(parts.maxConcurrentRuns)
  }

  get language(): string {
    return this.#parts.launcher.language
  }

  get isolation(): string {
    return this.#parts.launcher.isolation
  }

  async run(request: RunRequest): Promise<RunResult> {
    const snapshot = snapshotRequest(request)
    if (this.#disposal !== undefined) throw new MisuseError('the runtime is disposed')
    const drive = this.#newDrive(snapshot)
    const unlink = linkAbort(drive, snapshot.signal)
    const settled = drive.result.finally(() => {
      unlink()
      this.#active.delete(drive)
    })
    this.#active.set(drive, settled)
    drive.accept()
    if (!drive.isDecided) this.#queue(drive, snapshot)
    return settled
  }

  dispose(): Promise<void> {
    this.#disposal ??= this.#end()
    return this.#disposal
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose()
  }

  #newDrive(snapshot: RequestSnapshot): Drive {
    const { clock, codec, limits, launcher } = this.#parts
    return new Drive({
      ...snapshot,
      onEvent: snapshot.onEvent,
      clock,
      codec,
      bootLimits: bootLimits(limits, launcher),
      maxWallMs: limits.maxWallMs,
      maxBindingCalls: limits.maxBindingCalls,
    })
  }

  #queue(drive: Drive, { program }: RequestSnapshot): void {
    const leave = (): void => this.#admission.leave()
    const withdraw = this.#admission.request(() => {
      drive.begin()
      drive.ended.then(leave, leave)
      if (!drive.isDecided) void this.#launch(drive, program)
    })
    void drive.result.then(withdraw)
  }

  async #launch(drive: Drive, text: string): Promise<void> {
    const { launcher, limits, frameCapBytes } = this.#parts
    const prepared = await prepare(launcher, text)
    if ('failure' in prepared) drive.end('worker-exit', prepared.failure)
    else if (!prepared.ok) drive.end('exception', capDiagnostic(prepared.message, limits.maxValueBytes))
    else drive.launch(prepared.program, () => launcher.launch({ limits, frameCapBytes }))
  }

  async #end(): Promise<void> {
    for (const drive of this.#active.keys()) drive.end('abort', 'runtime disposed')
    await Promise.allSettled(this.#active.values())
    await this.#parts.launcher.dispose()
  }
}

/** A preparation that throws is no fault of the program. */
const prepare = async (
  launcher: Launcher,
  program: string,
): Promise<PreparedProgram | { readonly failure: string }> => {
  try {
    return await launcher.prepare(program)
  } catch (error) {
    return { failure: `the program could not be prepared: ${thrownText(error)}` }
  }
}

const linkAbort = (drive: Drive, signal: AbortSignal | undefined): (() => void) => {
  if (signal === undefined) return () => {}
  const abort = (): void => drive.end('abort', thrownText(signal.reason))
  if (signal.aborted) abort()
  else {
    // One signal for many runs at a time is no leak.
    if (signal instanceof EventTarget) setMaxListeners(0, signal)
    signal.addEventListener('abort', abort, { once: true })
  }
  return () => signal.removeEventListener('abort', abort)
}

const bootLimits = (limits: ResolvedLimits, launcher: Launcher): BootLimits => {
  const context = { isolation: launcher.isolation, ...(launcher.limits && { alsoApplies: launcher.limits }) }
  return {
    maxLogBytes: limits.maxLogBytes,
    maxValueBytes: limits.maxValueBytes,
    ...(limitApplies('cpuSeconds', context) ? { cpuSeconds: limits.cpuSeconds } : {}),
    ...(limitApplies('addressSpaceMb', context) ? { addressSpaceBytes: limits.addressSpaceMb * MIB } : {}),
  }
}
