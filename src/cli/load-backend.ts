import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createCodeRuntime, type Launcher } from '../index.js'
import type { ConformanceBackend } from '../testing/conformance/backend.js'
import { UsageError } from './usage-error.js'

type Declared = Pick<ConformanceBackend, 'capabilities' | 'accepts' | 'programs'>
type LauncherFactory = () => Launcher | Promise<Launcher>

/**
 * The backend of a module: its default export is a whole ConformanceBackend, a function that makes a launcher, or a
 * launcher; beside the last two, `capabilities`, `accepts` and `programs` are exports of their own.
 */
export const loadBackend = async (file: string): Promise<ConformanceBackend> => {
  const exported: Record<string, unknown> = await import(pathToFileURL(resolve(file)).href)
  const given = exported['default']
  if (hasMethods(given, 'create')) return withDefaults(given as unknown as ConformanceBackend)
  const declared = withDefaults(exported as unknown as Declared)
  if (typeof given === 'function') return ofFactory(given as LauncherFactory, declared)
  if (hasMethods(given, 'prepare', 'launch', 'dispose')) return ofLauncher(given as unknown as Launcher, declared)
  throw new UsageError(
    `${file}: expected the default export to be a launcher, a function that makes one, or { create }`,
  )
}

const hasMethods = (value: unknown, ...names: string[]): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && names.every((name) => typeof Reflect.get(value, name) === 'function')

const withDefaults = <Given extends Declared>(given: Given): Given => ({
  ...given,
  capabilities: given.capabilities ?? [],
})

const ofFactory = async (make: LauncherFactory, declared: Declared): Promise<ConformanceBackend> => {
  const first = await make()
  await first.dispose()
  return fromLaunchers(first.language, make, declared)
}

/** One launcher for all runtimes: it is not disposed with each of them. */
const ofLauncher = (launcher: Launcher, declared: Declared): ConformanceBackend => {
  const { language, isolation, limits } = launcher
  const shared = (): Launcher => ({
    language,
    isolation,
    ...(limits && { limits }),
    prepare: (program) => launcher.prepare(program),
    launch: (options) => launcher.launch(options),
    dispose: async () => {},
  })
  return fromLaunchers(language, shared, declared)
}

const fromLaunchers = (
  language: string,
  make: LauncherFactory,
  { capabilities, accepts, programs }: Declared,
): ConformanceBackend => ({
  language,
  capabilities,
  ...(accepts && { accepts }),
  ...(programs && { programs }),
  create: async ({ limits = {} }) => createCodeRuntime({ launcher: await make(), limits }),
})
