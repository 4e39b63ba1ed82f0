import { describe, expect, test } from 'vitest'
import { type BindingNamespace, ConfigurationError, MisuseError, type RunEvent } from '../../src/index.js'
import { createFakeRuntime, type FakeOutcome, type FakeScript, ManualClock } from '../../src/testing.js'
import { withThrowingGetter } from '../support/getters.js'
import { soon, turn } from '../support/turn.js'

const TOOLS: BindingNamespace = {
  global: 'tools',
  functions: {
    add: ({ a, b }: { a: number; b: number }) => a + b,
    fail: () => {
      throw new Error('the host refused')
    },
    odd: () => new Map(),
    hang: (_args: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended')))),
  },
}

const play = async (script: FakeScript, options: Parameters<typeof createFakeRuntime>[0] = {}) => {
  await using runtime = await createFakeRuntime({ script, ...options })
  return await runtime.run({ program: 'played', bindings: [TOOLS] })
}

describe('an outcome is for', () => {
  const programs = ['return 1', 'return 2']
  test.each<[string, FakeOutcome['program'], number[]]>([
    ['the exact text', 'return 1', [1, 0]],
    ['a pattern', /2$/, [0, 1]],
    ['a pattern with a memory of its own', /return/g, [1, 1]],
    ['what a function says', (program) => program.includes('2'), [0, 1]],
    ['every program', undefined, [1, 1]],
  ])('%s', async (_title, program, expected) => {
    const outcomes = [{ ...(program === undefined ? {} : { program }), value: 1 }, { value: 0 }]
    await using runtime = await createFakeRuntime({ outcomes })
    const values = []
    for (const text of programs) values.push((await runtime.run({ program: text })).value)
    expect(values).toEqual(expected)
  })

  test('so many runs, also of those that were ended before they began', async () => {
    await using runtime = await createFakeRuntime({
      outcomes: [
        { times: 1, error: 'Error: first' },
        { times: 1, value: 'second' },
      ],
    })
    const results = await Promise.all([
      runtime.run({ program: 'x' }),
      runtime.run({ program: 'x', signal: AbortSignal.abort('early') }),
    ])
    expect(results.map(({ error }) => error?.message)).toEqual(['Error: first', 'early'])
    await expect(runtime.run({ program: 'x' })).rejects.toThrow(MisuseError)
  })

  test('runs of the same program in their order, when some of them are aborted', async () => {
    await using runtime = await createFakeRuntime({
      outcomes: [1, 2, 3].map((value) => ({ times: 1, value })),
    })
    const abort = new AbortController()
    const runs = [1, 2, 3].map((number) =>
      runtime.run({ program: 'same', ...(number === 2 ? { signal: abort.signal } : {}) }),
    )
    abort.abort('no more')
    expect((await Promise.all(runs)).map(({ value, error }) => value ?? error?.message)).toEqual([1, 'no more', 3])
  })

  test('what comes, when it was put before the others', async () => {
    await using runtime = await createFakeRuntime({ outcomes: [{ value: 'old' }] })
    runtime.prepend({ times: 1, value: 'new' })
    expect([(await runtime.run({ program: '' })).value, (await runtime.run({ program: '' })).value]).toEqual([
      'new',
      'old',
    ])
  })
})

test('a program that nothing is scripted for makes run() reject, and is noted', async () => {
  await using runtime = await createFakeRuntime({ outcomes: [{ program: 'return 1', value: 1 }] })
  await expect(runtime.run({ program: 'return 2' })).rejects.toThrow(
    new MisuseError('no outcome is scripted for the program "return 2"'),
  )
  expect(runtime.requests.map(({ program }) => program)).toEqual(['return 2'])
})

test('an outcome of two kinds is refused', async () => {
  const outcomes = [{ value: 1, error: 'x' }]
  await expect(createFakeRuntime({ outcomes })).rejects.toThrow(
    new ConfigurationError('Expected an outcome to have one of value, error and run, got value and error'),
  )
})

describe('an outcome that', () => {
  test.each<[string, FakeOutcome, object]>([
    ['prints and returns', { logs: ['a', 'b\nc'], value: { x: [1] } }, { logs: ['a', 'b', 'c'], value: { x: [1] } }],
    ['is empty', {}, { logs: [] }],
    ['fails by a text', { logs: ['a'], error: 'E: x' }, { logs: ['a'], error: { kind: 'exception', message: 'E: x' } }],
    ...(['exception', 'invalid-output', 'output-limit', 'timeout', 'worker-exit'] as const).map(
      (kind): [string, FakeOutcome, object] => [
        `fails as ${kind}`,
        { error: { kind, message: 'so' } },
        { error: { kind, message: 'so' }, logs: [] },
      ],
    ),
    [
      'returns what is not lossless',
      { value: { when: new Date(0) } },
      { error: { kind: 'invalid-output', message: expect.stringContaining('$.when') } },
    ],
    ['returns too much', { value: 'x'.repeat(100) }, { error: { kind: 'output-limit' } }],
    ['prints too much', { logs: ['x'.repeat(70)] }, { logs: ['[code-runtime] log capture truncated at 64 bytes'] }],
  ])('%s', async (_title, outcome, expected) => {
    await using runtime = await createFakeRuntime({
      outcomes: [outcome],
      limits: { maxLogBytes: 64, maxValueBytes: 90 },
    })
    const result = await runtime.run({ program: '' })
    expect(result).toMatchObject(expected)
    expect('value' in result).toBe('value' in expected)
  })
})

describe('a script', () => {
  test('calls the bindings of the app, and its calls are in the account', async () => {
    const result = await play(async ({ globals, call }) => {
      const sum = (await globals['tools'].add({ a: 1, b: 2 })) + (await call('tools', 'add', { a: 0, b: 0 }))
      return sum * 2
    })
    expect(result).toMatchObject({
      value: 6,
      calls: [0, 1].map((id) => ({
        id,
        global: 'tools',
        name: 'add',
        state: 'succeeded',
        argsBytes: 13,
        replyBytes: 1,
      })),
      usage: { wallMs: 0, bindingCalls: 2 },
    })
  })

  test.each<[string, FakeScript, string]>([
    ['a binding that throws', (run) => run.call('tools', 'fail'), 'Error: the host refused'],
    ['a binding that answers what cannot cross', (run) => run.call('tools', 'odd'), 'Map'],
    ['a member that is not declared', (run) => run.call('tools', 'nope'), 'unknown binding tools.nope'],
    [
      'an argument that cannot cross',
      (run) => run.call('tools', 'add', { a: Number.NaN }),
      'the argument of tools.add cannot cross: $.a',
    ],
    ['a throw of its own', () => Promise.reject(new TypeError('no')), 'TypeError: no'],
    [
      'a throw of a text',
      () => {
        throw 'text'
      },
      'text',
    ],
  ])('fails by %s', async (_title, script, message) => {
    expect((await play(script)).error).toEqual({ kind: 'exception', message: expect.stringContaining(message) })
  })

  test('sees the error class that the app declared', async () => {
    const errorClass = { name: 'ToolError', memberNameProperty: 'toolName' }
    await using runtime = await createFakeRuntime({
      script: async (run) => {
        try {
          return await run.call('tools', 'fail')
        } catch (error) {
          const { name, message, toolName } = error as Error & { toolName: string }
          return { name, message, toolName }
        }
      },
    })
    const { value } = await runtime.run({ program: '', bindings: [{ ...TOOLS, errorClass }] })
    expect(value).toEqual({ name: 'ToolError', message: 'the host refused', toolName: 'fail' })
  })

  test('has names that are data', async () => {
    const functions = Object.fromEntries(['__proto__', 'constructor', 'then'].map((name) => [name, () => name]))
    await using runtime = await createFakeRuntime({
      script: async ({ globals: { tools } }) =>
        Promise.all(['__proto__', 'constructor', 'then'].map((name) => tools[name]())),
    })
    const { value } = await runtime.run({ program: '', bindings: [{ global: 'tools', functions }] })
    expect(value).toEqual(['__proto__', 'constructor', 'then'])
  })

  test('prints to both streams, and leaves lines open', async () => {
    const { logs } = await play(({ print }) => {
      print('a', { open: true })
      print('error', { stream: 'stderr' })
      print('b')
    })
    expect(logs).toEqual(['ab', 'error'])
  })

  test.each<[string, FakeScript, object]>([
    ['lets time pass', ({ clock }) => clock.advance(500), { kind: 'timeout', message: /maxWallMs/ }],
    [
      'dies',
      ({ guest }) => guest.exit({ type: 'killed', signal: 'SIGKILL' }),
      { kind: 'worker-exit', message: /KILL/ },
    ],
    [
      'calls too often',
      async (run) => {
        for (;;) await run.call('tools', 'add', { a: 1, b: 1 })
      },
      { kind: 'timeout', message: /maxBindingCalls/ },
    ],
    [
      'floods',
      async (run) => {
        for (let i = 0; i < 1_025; i += 1) void run.call('tools', 'hang')
        await new Promise(() => {})
      },
      { kind: 'timeout', message: /maxBindingCalls/ },
    ],
  ])('that %s ends the run', async (_title, script, { kind, message }: { kind?: string; message?: RegExp }) => {
    const { error } = await play(script, { limits: { maxWallMs: 500, maxBindingCalls: 3 } })
    expect(error).toEqual({ kind, message: expect.stringMatching(message!) })
  })

  test('that lets too many calls wait ends the run at the end of the turn', async () => {
    const { error } = await play(async (run) => {
      for (let i = 0; i < 1_025; i += 1) void run.call('tools', 'hang')
    })
    expect(error).toEqual({ kind: 'worker-exit', message: expect.stringContaining('1024') })
  })
})

describe('a run that waits', () => {
  const forever: FakeScript = () => new Promise(() => {})
  const started = async (options = {}) => {
    const runtime = await createFakeRuntime({ script: forever, ...options })
    const abort = new AbortController()
    const run = runtime.run({ program: '', signal: abort.signal })
    await turn()
    return { runtime, run, abort }
  }

  test('ends by the clock', async () => {
    const { runtime, run } = await started({ limits: { maxWallMs: 500 } })
    runtime.clock.advance(499)
    expect(await soon(run)).toBe('still pending')
    runtime.clock.advance(1)
    expect((await run).error?.kind).toBe('timeout')
    expect(runtime.clock.pendingTimers).toBe(0)
  })

  test('ends by its signal', async () => {
    const { run, abort } = await started()
    abort.abort('the user left')
    expect((await run).error).toEqual({ kind: 'abort', message: 'the user left' })
  })

  test('ends by dispose, after which run() rejects', async () => {
    const { runtime, run } = await started()
    await runtime.dispose()
    expect((await run).error).toEqual({ kind: 'abort', message: 'runtime disposed' })
    await expect(runtime.run({ program: '' })).rejects.toThrow(new MisuseError('the runtime is disposed'))
  })
})

describe('requests', () => {
  test('are noted with their bindings, their time and their result', async () => {
    const clock = new ManualClock({ turns: 'real' })
    await using runtime = await createFakeRuntime({ script: () => 1, clock })
    await runtime.run({ program: 'first', bindings: [TOOLS] })
    clock.advance(20)
    const second = runtime.run({ program: 'second' })
    expect(runtime.requests).toEqual([
      {
        program: 'first',
        bindings: { tools: ['add', 'fail', 'odd', 'hang'] },
        atMs: 0,
        result: expect.objectContaining({ value: 1 }),
      },
      { program: 'second', bindings: {}, atMs: 20, result: undefined },
    ])
    const result = await second
    expect(runtime.requests[1]?.result).toBe(result)
  })

  test('are checked as by a real runtime, and read once', async () => {
    await using runtime = await createFakeRuntime({ script: (run) => run.call('tools', 'one') })
    const bad = { global: 'class', functions: {} }
    await expect(runtime.run({ program: '', bindings: [bad] })).rejects.toThrow(MisuseError)
    await expect(runtime.run(withThrowingGetter('bindings', new Error('a getter')) as never)).rejects.toThrow(
      'a getter',
    )
    let reads = 0
    const functions = {
      get one() {
        reads += 1
        return () => reads
      },
    }
    expect(await runtime.run({ program: '', bindings: [{ global: 'tools', functions }] })).toMatchObject({ value: 1 })
    expect(runtime.requests).toHaveLength(1)
  })
})

test('labels, limits and events are those of the language', async () => {
  await using python = await createFakeRuntime({ language: 'python', limits: { cpuSeconds: 2 }, script: () => null })
  expect([python.language, python.isolation]).toEqual(['python', 'process'])
  const events: RunEvent[] = []
  await python.run({ program: '', onEvent: (event) => events.push(event) })
  expect(events.map((event) => event.type === 'state' && event.state)).toEqual([
    'waiting',
    'starting',
    'running',
    'settling',
    'done',
  ])
  const refused = createFakeRuntime({ limits: { cpuSeconds: 2 } })
  await expect(refused).rejects.toThrow("it applies to isolation 'process', not to 'worker-thread'")
})
