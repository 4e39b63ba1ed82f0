import { afterAll, beforeAll, describe, it } from 'vitest'
import {
  type CodeRuntime,
  type CodeRuntimeOptions,
  createCodeRuntime,
  type Limits,
  type RunResult,
} from '../../src/index.js'
import type { QuickRun } from '../support/runtimes.js'

/** The same behaviour in each language. A case without the language of a backend is skipped there, visibly. */
export interface Programs {
  readonly typescript?: string
  readonly python?: string
}

export interface Capabilities {
  /** The limit that bounds what a program computes, for about so many milliseconds. */
  compute(ms: number): Limits
  /** The message of a program that spent it. */
  readonly computeMessage: RegExp
  /** A program's standard input is closed at the descriptor too. */
  readonly ownDescriptors: boolean
}

interface BackendRow {
  readonly name: string
  readonly language: 'typescript' | 'python'
  readonly isolation: 'worker-thread' | 'process'
  readonly options: CodeRuntimeOptions
  readonly has: Capabilities
}

const PYTHON: Omit<BackendRow, 'name'> = {
  language: 'python',
  isolation: 'process',
  options: { language: 'python', warm: 0, limits: { graceMs: 500 } },
  has: {
    compute: (ms) => ({ cpuSeconds: Math.ceil(ms / 1_000) }),
    computeMessage: /cpuSeconds/,
    ownDescriptors: true,
  },
}

const BACKENDS: readonly BackendRow[] = [
  {
    name: 'TypeScript in a worker thread',
    language: 'typescript',
    isolation: 'worker-thread',
    options: { warm: 0 },
    has: {
      compute: (computeMs) => ({ computeMs }),
      computeMessage: /computeMs/,
      ownDescriptors: false,
    },
  },
  { ...PYTHON, name: 'Python in a process' },
  { ...PYTHON, name: 'Python from a fork server', options: { ...PYTHON.options, forkServer: true } },
]

export type Run = (program: string, request?: QuickRun) => Promise<RunResult>

/** One row of the table, with what a suite needs to put cases to it. */
export class Backend {
  readonly language: BackendRow['language']
  readonly isolation: BackendRow['isolation']
  readonly has: Capabilities
  readonly #options: CodeRuntimeOptions

  constructor(row: BackendRow) {
    this.language = row.language
    this.isolation = row.isolation
    this.has = row.has
    this.#options = row.options
  }

  create(options: CodeRuntimeOptions = {}): Promise<CodeRuntime> {
    return createCodeRuntime({ ...this.#options, ...options })
  }

  /** The option, where guests can be held ready. */
  warm(warm: number): CodeRuntimeOptions {
    return { warm }
  }

  /** A runtime for the suite that asks; it is disposed with the suite. */
  use(limits: Limits = {}): Run {
    let runtime: CodeRuntime
    beforeAll(async () => {
      runtime = await this.create({ limits })
    })
    afterAll(() => runtime.dispose())
    return (program, { tools, bindings, ...request } = {}) =>
      runtime.run({
        program,
        bindings: bindings ?? (tools === undefined ? [] : [{ global: 'tools', functions: tools }]),
        ...request,
      })
  }

  /** A case with a program of each language. */
  it(title: string, programs: Programs, check: (program: string) => Promise<void>): void {
    const program = programs[this.language]
    if (program === undefined) it.skip(title, () => {})
    else it(title, () => check(program))
  }

  /** Rows of a title, programs and what the check needs besides. */
  each<Rest extends unknown[]>(
    rows: readonly (readonly [title: string, programs: Programs, ...rest: Rest])[],
    check: (program: string, ...rest: Rest) => Promise<void>,
  ): void {
    for (const [title, programs, ...rest] of rows) this.it(title, programs, (program) => check(program, ...rest))
  }
}

/** Registers a suite once for each backend. */
export const onEveryBackend = (suite: (backend: Backend) => void): void => {
  for (const row of BACKENDS) describe(row.name, () => suite(new Backend(row)))
}
