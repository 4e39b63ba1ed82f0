import type { CodeRuntimeOptions } from '../../src/index.js'

export type Language = 'typescript' | 'python'

export interface FuzzedBackend {
  readonly name: string
  readonly language: Language
  readonly options: CodeRuntimeOptions
}

/** Every backend that is fuzzed, and compared with the others. */
export const BACKENDS: readonly FuzzedBackend[] = [
  { name: 'worker thread', language: 'typescript', options: { warm: 1 } },
  { name: 'Python process', language: 'python', options: { language: 'python', warm: 1, limits: { graceMs: 500 } } },
]
