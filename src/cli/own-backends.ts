import { type CodeRuntimeOptions, createCodeRuntime } from '../index.js'
import type { ConformanceBackend } from '../testing/conformance/backend.js'
import type { Capability } from '../testing/conformance/capabilities.js'

export interface OwnBackend {
  /** How the matrix and the tests call it. */
  readonly name: string
  readonly backend: ConformanceBackend
  /** Whether this platform has it. */
  readonly isAvailable: boolean
}

const SHARED: readonly Capability[] = [
  'own-thread',
  'platform',
  'timers',
  'exit',
  'environment',
  'stdin',
  'streams',
  'bytes',
  'stray-output',
  'channel',
  'deep-values',
  'large-values',
  'cpu-usage',
  'prepared-guests',
]
const WORKER: readonly Capability[] = [...SHARED, 'computeMs', 'maxHeapMb', 'syntax-check']
const PROCESS: readonly Capability[] = [...SHARED, 'cpuSeconds', 'addressSpaceMb', 'subprocesses']

const own = (
  name: string,
  capabilities: readonly Capability[],
  { limits, ...options }: CodeRuntimeOptions & { readonly language: string },
): OwnBackend => ({
  name,
  isAvailable: options.forkServer === undefined || process.platform === 'linux',
  backend: {
    language: options.language,
    capabilities,
    create: (asked) => createCodeRuntime({ warm: 0, ...options, ...asked, limits: { ...limits, ...asked.limits } }),
  },
})

/** The backends of this package, and what each has. */
export const OWN_BACKENDS: readonly OwnBackend[] = [
  own('TypeScript, worker thread', WORKER, { language: 'typescript' }),
  own('Python, process', PROCESS, { language: 'python', limits: { graceMs: 500 } }),
  own('Python, fork server', PROCESS, { language: 'python', forkServer: true, limits: { graceMs: 500 } }),
]
