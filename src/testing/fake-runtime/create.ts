import type { RunResult } from '../../domain/outcome.js'
import { type RequestSnapshot, type RunRequest, snapshotRequest } from '../../domain/request.js'
import { type CodeRuntime, type CodeRuntimeOptions, createCodeRuntime } from '../../index.js'
import { FakeLauncher } from '../fake-launcher.js'
import { ManualClock } from '../manual-clock.js'
import type { FakeScript } from './fake-run.js'
import type { FakeOutcome } from './outcome.js'
import { Theatre } from './theatre.js'

export interface FakeRuntimeOptions
  extends Pick<CodeRuntimeOptions, 'language' | 'isolation' | 'limits' | 'maxConcurrentRuns'> {
  /** What becomes of which program; the first that is for a program counts. */
  readonly outcomes?: readonly FakeOutcome[]
  /** Plays every program that no outcome is for. */
  readonly script?: FakeScript
  /** By default one of the runtime's own, whose turns are real. */
  readonly clock?: ManualClock
}

/** A request as it came, and what became of it. */
export interface FakeRequest {
  readonly program: string
  /** Names of the functions by namespace. */
  readonly bindings: Readonly<Record<string, readonly string[]>>
  /** When it came, by the runtime's clock. */
  readonly atMs: number
  /** Undefined until the run has settled. */
  readonly result: RunResult | undefined
}

/** A CodeRuntime whose guests are played. Checks, calls, limits, events, abort and dispose are the real ones. */
export interface FakeRuntime extends CodeRuntime {
  /** Every request that had the right shape, in order. */
  readonly requests: readonly FakeRequest[]
  readonly clock: ManualClock
  /** Adds an outcome that is looked at before those that are there. */
  prepend(outcome: FakeOutcome): void
}

/** Makes a runtime for an app's tests. A program that nothing is scripted for makes `run()` reject. */
export const createFakeRuntime = async (options: FakeRuntimeOptions = {}): Promise<FakeRuntime> => {
  const { outcomes = [], script, clock = new ManualClock({ turns: 'real' }), ...rest } = options
  const { language = 'typescript', isolation = language === 'python' ? 'process' : 'worker-thread' } = rest
  const theatre = new Theatre([...outcomes, ...(script === undefined ? [] : [{ run: script }])], clock)
  const launcher = new FakeLauncher((guest) => theatre.play(guest), { language, isolation })
  const runtime = await createCodeRuntime({ ...rest, launcher, adapters: { clock } })
  return new ScriptedRuntime(runtime, theatre, clock)
}

class ScriptedRuntime implements FakeRuntime {
  readonly requests: (FakeRequest & { result: RunResult | undefined })[] = []
  readonly clock: ManualClock
  readonly #runtime: CodeRuntime
  readonly #theatre: Theatre

  constructor(runtime: CodeRuntime, theatre: Theatre, clock: ManualClock) {
    this.#runtime = runtime
    this.#theatre = theatre
    this.clock = clock
  }

  get language(): string {
    return this.#runtime.language
  }

  get isolation(): string {
    return this.#runtime.isolation
  }

  prepend(outcome: FakeOutcome): void {
    this.#theatre.prepend(outcome)
  }

  async run(request: RunRequest): Promise<RunResult> {
    const snapshot = snapshotRequest(request)
    const noted = this.#note(snapshot)
    const forget = this.#theatre.book(snapshot.program)
    try {
      noted.result = await this.#runtime.run(asRequest(snapshot))
      return noted.result
    } finally {
      forget()
    }
  }

  dispose(): Promise<void> {
    return this.#runtime.dispose()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose()
  }

  #note({ program, namespaces }: RequestSnapshot): { result: RunResult | undefined } {
    const bindings = Object.fromEntries(namespaces.map(({ global, functions }) => [global, [...functions.keys()]]))
    const noted = { program, bindings, atMs: this.clock.now(), result: undefined }
    this.requests.push(noted)
    return noted
  }
}

/** The caller's objects were read once; what was read is a request like any other. */
const asRequest = ({ namespaces, ...rest }: RequestSnapshot): RunRequest => ({
  ...rest,
  bindings: namespaces.map(({ functions, ...namespace }) => ({
    ...namespace,
    functions: Object.fromEntries(functions),
  })),
})
