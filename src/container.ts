import 'reflect-metadata'
import { availableParallelism } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { Container } from 'inversify'
import { nodeJsonEngine } from './adapters/json-engine.js'
import { type CodeRuntimeOptions, expectedOption, parseOptions } from './adapters/options.js'
import { NodeProcessControl } from './adapters/process/process-control.js'
import { PythonLauncher } from './adapters/python/launcher.js'
import { SystemClock } from './adapters/system-clock.js'
import { SwcTransformer } from './adapters/typescript/transformer.js'
import { WorkerLauncher } from './adapters/worker/launcher.js'
import { frameCapBytes } from './domain/frame-cap.js'
import { createJsonCodec } from './domain/json/codec.js'
import { isLimitProblem, type ResolvedLimits, resolveLimits } from './domain/limits.js'
import type { Launcher } from './ports/launcher.js'
import { TOKENS } from './ports/tokens.js'
import { type CodeRuntime, GuestRuntime } from './runtime.js'

const DEFAULT_WARM = 1
/** Programs wait for bindings most of their time; what bounds them is the memory of their guests. */
const RUNS_PER_CORE = 8

/** Checks the options and wires a runtime from them. Throws a ConfigurationError for what cannot work. */
export const buildRuntime = async (given: unknown): Promise<CodeRuntime> => {
  const options = parseOptions(given)
  const capBytes = frameCapBytes(getHeapStatistics().heap_size_limit)
  const container = new Container({ defaultScope: 'Singleton' })
  bindShared(container, options)
  bindLauncher(container, options)
  const launcher = await container.getAsync<Launcher>(TOKENS.launcher)
  return new GuestRuntime({
    launcher,
    clock: container.get(TOKENS.clock),
    codec: container.get(TOKENS.codec),
    limits: requireLimits(options, launcher, capBytes),
    frameCapBytes: capBytes,
    maxConcurrentRuns: options.maxConcurrentRuns ?? availableParallelism() * RUNS_PER_CORE,
  })
}

const bindShared = (container: Container, { adapters = {} }: CodeRuntimeOptions): void => {
  const { clock, transformer, processControl } = adapters
  container.bind(TOKENS.codec).toResolvedValue(() => createJsonCodec(nodeJsonEngine))
  container.bind(TOKENS.clock).toResolvedValue(() => clock ?? new SystemClock())
  container.bind(TOKENS.transformer).toResolvedValue(() => transformer ?? new SwcTransformer())
  container.bind(TOKENS.processControl).toResolvedValue(() => processControl ?? new NodeProcessControl())
}

const bindLauncher = (container: Container, options: CodeRuntimeOptions): void => {
  const { launcher, language = 'typescript' } = options
  if (launcher !== undefined) bindGiven(container, launcher, options)
  else if (language === 'python') bindPython(container, options)
  else if (language === 'typescript') bindTypeScript(container, options)
  else throw expectedOption('language', `'typescript' or 'python'`, language)
}

const bindGiven = (container: Container, launcher: Launcher, options: CodeRuntimeOptions): void => {
  requireLabels(options, launcher)
  requireAbsent(options, ['pythonBin', 'cwd', 'warm', 'forkServer'], `the launchers of this package`)
  container.bind(TOKENS.launcher).toConstantValue(launcher)
}

const bindTypeScript = (
  container: Container,
  { isolation, warm = DEFAULT_WARM, ...options }: CodeRuntimeOptions,
): void => {
  if (isolation !== undefined && isolation !== 'worker-thread') {
    throw expectedOption('isolation', `'worker-thread': no other is available for TypeScript`, isolation)
  }
  requireAbsent(options, ['pythonBin', 'cwd'], `isolation 'process'`)
  requireAbsent(options, ['forkServer'], `language 'python'`)
  container
    .bind(TOKENS.launcher)
    .toResolvedValue(
      (transformer, clock) => new WorkerLauncher({ transformer, clock, warm }),
      [TOKENS.transformer, TOKENS.clock],
    )
}

const bindPython = (container: Container, options: CodeRuntimeOptions): void => {
  const { isolation, pythonBin = 'python3', cwd = process.cwd(), warm = DEFAULT_WARM } = options
  if (isolation !== undefined && isolation !== 'process') {
    throw expectedOption('isolation', `'process', the only one for Python`, isolation)
  }
  const preload = preloadOf(options)
  container
    .bind(TOKENS.launcher)
    .toResolvedValue(
      (clock, processControl) => PythonLauncher.create({ pythonBin, cwd, warm, preload, clock, processControl }),
      [TOKENS.clock, TOKENS.processControl],
    )
}

/** Undefined without a fork server. */
const preloadOf = ({ forkServer, adapters }: CodeRuntimeOptions): readonly string[] | undefined => {
  if (forkServer === undefined) return undefined
  if (process.platform !== 'linux') throw expectedOption('forkServer', 'absent: it needs Linux', forkServer)
  if (adapters?.processControl !== undefined && adapters.processControl.startForkServer === undefined) {
    throw expectedOption('forkServer', 'absent: `adapters.processControl` has no startForkServer', forkServer)
  }
  return forkServer === true ? [] : [...(forkServer.preload ?? [])]
}

const requireAbsent = (
  options: CodeRuntimeOptions,
  names: readonly (keyof CodeRuntimeOptions)[],
  owner: string,
): void => {
  const given = names.find((name) => options[name] !== undefined)
  if (given !== undefined) throw expectedOption(given, `absent: it applies to ${owner} alone`, options[given])
}

const requireLabels = ({ language, isolation }: CodeRuntimeOptions, launcher: Launcher): void => {
  for (const label of ['language', 'isolation'] as const) {
    if (typeof launcher[label] !== 'string') throw expectedOption(`launcher.${label}`, 'a string', launcher[label])
  }
  if (language !== undefined && language !== launcher.language) {
    throw expectedOption('language', `absent or the launcher's own '${launcher.language}'`, language)
  }
  if (isolation !== undefined && isolation !== launcher.isolation) {
    throw expectedOption('isolation', `absent or the launcher's own '${launcher.isolation}'`, isolation)
  }
}

const requireLimits = ({ limits = {} }: CodeRuntimeOptions, launcher: Launcher, capBytes: number): ResolvedLimits => {
  const alsoApplies = launcher.limits
  const resolved = resolveLimits(limits, {
    isolation: launcher.isolation,
    frameCapBytes: capBytes,
    ...(alsoApplies === undefined ? {} : { alsoApplies }),
  })
  if (!isLimitProblem(resolved)) return resolved
  throw expectedOption(`limits.${resolved.limit}`, resolved.expected, resolved.actual)
}
