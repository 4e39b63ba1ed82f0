import { describe, expect, test } from 'vitest'
import { type CodeRuntimeOptions, parseOptions } from '../../src/adapters/options.js'
import { showValue } from '../../src/domain/show.js'
import { ConfigurationError, createCodeRuntime, type Launcher, type LimitName } from '../../src/index.js'
import { answering, FakeLauncher, FakeProcessControl, ManualClock } from '../../src/testing.js'

const LIMITS: readonly LimitName[] = [
  'maxWallMs',
  'maxLogBytes',
  'maxValueBytes',
  'maxBindingCalls',
  'computeMs',
  'maxHeapMb',
  'cpuSeconds',
  'addressSpaceMb',
  'graceMs',
]

/** The message with which `createCodeRuntime` rejects. */
const refusal = async (options: unknown): Promise<string> => {
  const error: unknown = await createCodeRuntime(options as CodeRuntimeOptions).then(
    async (runtime) => {
      await runtime.dispose()
      return 'the options were accepted'
    },
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ConfigurationError)
  return (error as ConfigurationError).message
}

const accepted = async (options: unknown): Promise<void> => {
  const runtime = await createCodeRuntime(options as CodeRuntimeOptions)
  await runtime.dispose()
}

describe('parseOptions', () => {
  test('no option is a must', () => {
    expect(parseOptions({})).toEqual({})
  })

  test('what was given is what is used', () => {
    const launcher = new FakeLauncher()
    const clock = new ManualClock()
    const processControl = new FakeProcessControl()
    const transformer = { transform: async () => ({ ok: false, message: '' }) as const }
    const adapters = { clock, transformer, processControl }
    const parsed = parseOptions({ launcher, adapters, warm: 0, limits: { maxWallMs: 1 }, language: 'typescript' })
    expect(parsed).toEqual({ launcher, adapters, warm: 0, limits: { maxWallMs: 1 }, language: 'typescript' })
    expect(parsed.launcher).toBe(launcher)
    expect(parsed.adapters?.clock).toBe(clock)
    expect(parsed.adapters?.transformer).toBe(transformer)
    expect(parsed.adapters?.processControl).toBe(processControl)
  })

  test.each(LIMITS)('%s is a limit', (name) => {
    expect(parseOptions({ limits: { [name]: 7 } })).toEqual({ limits: { [name]: 7 } })
  })

  test.each(['language', 'isolation', 'limits', 'warm', 'launcher', 'adapters'])('%s may be undefined', (name) => {
    expect(() => parseOptions({ [name]: undefined })).not.toThrow()
  })
})

test.each<[string, unknown, string]>([
  ['nothing', null, 'Expected `options` to be an object of options, got `null`'],
  ['a text', 'typescript', 'Expected `options` to be an object of options, got `"typescript"`'],
  ['an unknown language', { language: 'ruby' }, "Expected `language` to be 'typescript' or 'python', got `\"ruby\"`"],
  [
    'an unknown isolation',
    { isolation: 'vm' },
    'Expected `isolation` to be \'worker-thread\': no other is available for TypeScript, got `"vm"`',
  ],
  ['limits that are a number', { limits: 7 }, 'Expected `limits` to be an object of limits, got `7`'],
  ['limits that are null', { limits: null }, 'Expected `limits` to be an object of limits, got `null`'],
  ['a negative warm count', { warm: -1 }, 'Expected `warm` to be an integer from 0 to 64, got `-1`'],
  ['a warm count over the bound', { warm: 65 }, 'Expected `warm` to be an integer from 0 to 64, got `65`'],
  ['half a warm guest', { warm: 0.5 }, 'Expected `warm` to be an integer from 0 to 64, got `0.5`'],
  ['a warm count in a text', { warm: '1' }, 'Expected `warm` to be an integer from 0 to 64, got `"1"`'],
  [
    'a launcher without methods',
    { launcher: { prepare: () => {} } },
    'Expected `launcher` to be an object with the methods prepare, launch, dispose, got `an object`',
  ],
  [
    'a launcher that is a class',
    { launcher: FakeLauncher },
    'Expected `launcher` to be an object with the methods prepare, launch, dispose, got `a function`',
  ],
  [
    'a cwd that is a file',
    { cwd: 'package.json' },
    'Expected `cwd` to be the path of a directory, got `"package.json"`',
  ],
  ['a cwd that is not there', { cwd: '/no/where' }, 'Expected `cwd` to be the path of a directory, got `"/no/where"`'],
  ['a cwd with a NUL', { cwd: '/\0' }, 'Expected `cwd` to be the path of a directory, got `"/\\u0000"`'],
  ['a cwd that is a number', { cwd: 7 }, 'Expected `cwd` to be the path of a directory, got `7`'],
  ['an interpreter that is a list', { pythonBin: ['python3'] }, 'Expected `pythonBin` to be a string, got `an array`'],
  ...[5, null, false, 'yes', ['numpy']].map((forkServer): [string, unknown, string] => [
    `a fork server that is ${JSON.stringify(forkServer)}`,
    { language: 'python', forkServer },
    `Expected \`forkServer\` to be true or an object with \`preload\`, got \`${showValue(forkServer)}\``,
  ]),
  [
    'a preload that is a text',
    { language: 'python', forkServer: { preload: 'numpy' } },
    'Expected `forkServer.preload` to be an array of module names, got `"numpy"`',
  ],
  ...['', 'a b', 'a.', '.a', 'a..b', '1a', 'a;b', 'a\n', 'a-b', 7].map((name): [string, unknown, string] => [
    `a module named ${JSON.stringify(name)}`,
    { language: 'python', forkServer: { preload: ['json', name] } },
    `Expected \`forkServer.preload.1\` to be the name of a module, identifiers joined by dots, got \`${showValue(name)}\``,
  ]),
  ['adapters that are a list', { adapters: [] }, 'Expected `adapters` to be an object of adapters, got `an array`'],
  [
    'a clock that cannot wait',
    { adapters: { clock: { now: () => 0 } } },
    'Expected `adapters.clock` to be an object with the methods now, after, afterTurn, got `an object`',
  ],
  [
    'a transformer that is a function',
    { adapters: { transformer: () => {} } },
    'Expected `adapters.transformer` to be an object with the methods transform, got `a function`',
  ],
])('%s is refused with the option, the bound and the value', async (_what, options, message) => {
  expect(await refusal(options)).toBe(message)
})

test.each([
  ['timeout', { timeout: 5 }],
  ['pythonPath', { pythonPath: undefined }],
  ['limits.maxWallMS', { limits: { maxWallMS: 5 } }],
  ['limits.__proto__', { limits: JSON.parse('{"__proto__":5}') as object }],
  ['adapters.logger', { adapters: { logger: console } }],
  ['forkServer.preloads', { language: 'python', forkServer: { preloads: [] } }],
])('the unknown option %s is refused by its path', async (path, options) => {
  expect(await refusal(options)).toBe(`Expected only known options, got \`${path}\``)
})

test.each(['spawn', 'signalGroup', 'endDescendants', 'treeUsage'])(
  'a process control without %s is refused',
  async (name) => {
    const processControl = Object.assign(new FakeProcessControl(), { [name]: undefined })
    expect(await refusal({ adapters: { processControl } })).toMatch(
      new RegExp(
        `^Expected \`adapters.processControl\` to be an object with the methods .*${name}.*, got \`an object\`$`,
      ),
    )
  },
)

test('the bounds of warm are options that work', async () => {
  for (const warm of [0, 64]) await accepted({ warm })
})

test('any positive number of concurrent runs is an option that works, beside a launcher too', async () => {
  for (const maxConcurrentRuns of [1, Number.MAX_SAFE_INTEGER]) await accepted({ maxConcurrentRuns })
  await accepted({ maxConcurrentRuns: 1, launcher: new FakeLauncher() })
})

test.each([0, -1, 1.5, Number.POSITIVE_INFINITY, Number.NaN, '4', null, true])(
  '%j concurrent runs are refused',
  async (maxConcurrentRuns) => {
    expect(await refusal({ maxConcurrentRuns })).toMatch(
      /^Expected `maxConcurrentRuns` to be a positive integer, got `/,
    )
  },
)

test.each([
  [
    { pythonBin: 'python3' },
    'Expected `pythonBin` to be absent: it applies to isolation \'process\' alone, got `"python3"`',
  ],
  [{ cwd: '/' }, 'Expected `cwd` to be absent: it applies to isolation \'process\' alone, got `"/"`'],
  [{ forkServer: true }, "Expected `forkServer` to be absent: it applies to language 'python' alone, got `true`"],
  [
    { launcher: new FakeLauncher(), forkServer: {} },
    'Expected `forkServer` to be absent: it applies to the launchers of this package alone, got `an object`',
  ],
  [
    { language: 'python', forkServer: true, adapters: { processControl: new FakeProcessControl() } },
    'Expected `forkServer` to be absent: `adapters.processControl` has no startForkServer, got `true`',
  ],
  [
    { language: 'python', isolation: 'worker-thread' },
    'Expected `isolation` to be \'process\', the only one for Python, got `"worker-thread"`',
  ],
])('the options %j do not go together', async (options, message) => {
  expect(await refusal(options)).toBe(message)
})

// --- limits, through the door ---

test('a fork server is refused where there is no Linux', async () => {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor
  Object.defineProperty(process, 'platform', { ...platform, value: 'darwin' })
  try {
    expect(await refusal({ language: 'python', forkServer: true })).toBe(
      'Expected `forkServer` to be absent: it needs Linux, got `true`',
    )
  } finally {
    Object.defineProperty(process, 'platform', platform)
  }
})

test.each([undefined, true, {}, { preload: undefined }, { preload: [] }, { preload: ['json', 'os.path', 'dé_1'] }])(
  'the fork server %j is taken as it is',
  (forkServer) => {
    expect(parseOptions({ forkServer }).forkServer).toEqual(forkServer)
  },
)

test.each([
  [{ computeMs: -1 }, 'Expected `limits.computeMs` to be a finite positive number (a positive number), got `-1`'],
  [
    { maxWallMs: 2_147_483_648 },
    'Expected `limits.maxWallMs` to be a finite positive number of at most 2147483647, got `2147483648`',
  ],
  [{ maxBindingCalls: 1.5 }, 'Expected `limits.maxBindingCalls` to be a positive integer, got `1.5`'],
  [{ maxValueBytes: '1' }, 'Expected `limits.maxValueBytes` to be a positive integer (a positive number), got `"1"`'],
  [{ maxLogBytes: 63 }, 'Expected `limits.maxLogBytes` to be a positive integer of at least 64, got `63`'],
  [
    { cpuSeconds: 1 },
    "Expected `limits.cpuSeconds` to be absent: it applies to isolation 'process', not to 'worker-thread', got `1`",
  ],
  [
    { graceMs: 1 },
    "Expected `limits.graceMs` to be absent: it applies to isolation 'process', not to 'worker-thread', got `1`",
  ],
  [
    { addressSpaceMb: 512 },
    "Expected `limits.addressSpaceMb` to be absent: it applies to isolation 'process', not to 'worker-thread', got `512`",
  ],
])('the limits %j are refused with the limit, the bound and the value', async (limits, message) => {
  expect(await refusal({ limits })).toBe(message)
})

test('limits at their bounds are options that work', async () => {
  await accepted({
    limits: { maxWallMs: 2_147_483_647, computeMs: 0.5, maxLogBytes: 64, maxValueBytes: 1, maxBindingCalls: 1 },
  })
})

test('a budget over the largest frame of this host is refused at creation', async () => {
  expect(await refusal({ limits: { maxValueBytes: 67_108_864 } })).toMatch(
    /^Expected `limits\.maxValueBytes` to be at most \d+, the largest frame of this host less 64, got `67108864`$/,
  )
})

// --- labels and launchers ---

test('a runtime is for TypeScript in worker threads unless told otherwise', async () => {
  for (const options of [undefined, {}, { language: 'typescript' }, { isolation: 'worker-thread' }]) {
    const runtime = await createCodeRuntime(options as CodeRuntimeOptions)
    expect([runtime.language, runtime.isolation]).toEqual(['typescript', 'worker-thread'])
    expect(() => Object.assign(runtime, { language: 'python' })).toThrow(TypeError)
    expect(() => Object.assign(runtime, { isolation: 'process' })).toThrow(TypeError)
    await runtime.dispose()
  }
})

const labelled = (language: string, isolation: string): Launcher =>
  Object.assign(new FakeLauncher(answering({ value: 'fine' })), { language, isolation })

test('a launcher brings its labels', async () => {
  const runtime = await createCodeRuntime({ launcher: labelled('lua', 'wasm') })
  expect([runtime.language, runtime.isolation]).toEqual(['lua', 'wasm'])
  expect(await runtime.run({ program: '' })).toMatchObject({ value: 'fine' })
  await runtime.dispose()
})

test('labels beside a launcher may be its own', async () => {
  const labels = { language: 'python', isolation: 'process' }
  await accepted({ ...labels, launcher: labelled('python', 'process') })
})

test.each([
  [{ language: 'python' }, "Expected `language` to be absent or the launcher's own 'typescript', got `\"python\"`"],
  [{ isolation: 'process' }, "Expected `isolation` to be absent or the launcher's own 'fake', got `\"process\"`"],
])('the labels %j beside a launcher with others are refused', async (labels, message) => {
  expect(await refusal({ ...labels, launcher: new FakeLauncher() })).toBe(message)
})

test('a limit that the isolation of a launcher does not have is refused, one that it names is not', async () => {
  expect(await refusal({ launcher: new FakeLauncher(), limits: { computeMs: 5 } })).toBe(
    "Expected `limits.computeMs` to be absent: it applies to isolation 'worker-thread', not to 'fake', got `5`",
  )
  const launcher = Object.assign(new FakeLauncher(), { limits: ['computeMs'] })
  await accepted({ launcher, limits: { computeMs: 5 } })
})

test('a clock that is given is the clock of the runs', async () => {
  const clock = new ManualClock()
  const launcher = new FakeLauncher()
  const runtime = await createCodeRuntime({ launcher, adapters: { clock }, limits: { maxWallMs: 60_000 } })
  const running = runtime.run({ program: '' })
  await launcher.nextGuest(0)
  clock.advance(60_000)
  expect(await running).toMatchObject({ error: { kind: 'timeout' }, usage: { wallMs: 60_000 } })
  await runtime.dispose()
})
