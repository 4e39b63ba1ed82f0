import type { CodeRuntimeOptions } from '../../src/index.js'

export type Language = 'typescript' | 'python'

export interface FuzzedBackend {
  readonly name: string
  readonly language: Language
  readonly options: CodeRuntimeOptions
}

const PYTHON: CodeRuntimeOptions = { language: 'python', warm: 1, limits: { graceMs: 500 } }
const FORKED: FuzzedBackend = {
  name: 'Python fork server',
  language: 'python',
  options: { ...PYTHON, forkServer: true },
}

/** Every backend that is fuzzed, and compared with the others. */
export const BACKENDS: readonly FuzzedBackend[] = [
  { name: 'worker thread', language: 'typescript', options: { warm: 1 } },
  { name: 'Python process', language: 'python', options: PYTHON },
  ...(process.platform === 'linux' ? [FORKED] : []),
]
