import { describe, expect, it } from 'vitest'
import { forging, TOOLS } from '../support/runtimes.js'
import { onEveryBackend, type Programs } from './backends.js'

/** A program that writes frames to its channel by itself. */
const forged = (frames: readonly unknown[], rest: Programs): Programs => ({
  ...(rest.typescript === undefined ? {} : { typescript: forging(frames, rest.typescript) }),
  ...(rest.python === undefined
    ? {}
    : {
        python: `import os\nfor frame in ${JSON.stringify(frames.map((frame) => (typeof frame === 'string' ? frame : JSON.stringify(frame))))}: os.write(3, frame.encode('utf-8', 'surrogatepass') + b'\\n')\n${rest.python}`,
      }),
})

const RETURN_1: Programs = { typescript: 'return 1', python: 'return 1' }
const LOOP: Programs = { typescript: 'for (;;) {}', python: 'while True: pass' }
const call = { type: 'call', id: 0, global: 'tools', name: 'one', args: null }

const JUNK: readonly unknown[] = [
  'null',
  '5',
  '"text"',
  '[]',
  '{}',
  'true',
  '',
  '{',
  '{"type":',
  'not json',
  '\u0000',
  '[[[[',
  '{"type":"done"',
  '{"type":"done",}',
  { type: 'nope' },
  { type: null },
  { type: ['done'] },
  { type: { done: 1 } },
  { type: 'Done' },
  { type: 'boot' },
  { type: 'run', program: 'x' },
  { type: 'reply', id: 0, ok: true, value: 1 },
  { type: 'log' },
  { type: 'log', text: 5 },
  { type: 'log', text: null },
  { type: 'log', text: ['x'] },
  { type: 'log', text: 'x', stream: 'stdin' },
  { type: 'log', text: 'x', stream: null },
  { type: 'call' },
  { ...call, id: '0' },
  { ...call, id: null },
  { ...call, id: 0.5 },
  { ...call, id: -1 },
  { ...call, id: 1 },
  { ...call, id: 2 ** 53 },
  { ...call, global: 5 },
  { ...call, name: null },
  { ...call, name: ['one'] },
  { type: 'call', id: 0, global: 'tools', name: 'one' },
  '{"type":"call","id":1e400,"global":"tools","name":"one","args":null}',
  '{"type":"call","id":-0,"global":"tools","name":"one","args":null}',
  '{"type":"call","id":0,"global":"tools","name":"one","args":1e400}',
  '{"type":"call","id":0,"global":"tools","name":"one","args":[-0]}',
  '{"type":"call","id":0,"global":"tools","name":"one","args":9007199254740993}',
  '{"type":"log","text":"x","n":9007199254740993}',
  '{"type":"done","value":9007199254740993}',
  { type: 'done', error: 5 },
  { type: 'done', error: null },
  { type: 'done', error: {} },
  { type: 'done', error: { kind: 'exception' } },
  { type: 'done', error: { kind: 'exception', message: 5 } },
  { type: 'done', error: { kind: 'timeout', message: 'x' } },
  { type: 'done', error: { kind: 'abort', message: 'x' } },
  { type: 'done', error: { kind: 'worker-exit', message: 'x' } },
  { type: 'done', error: { kind: 'toString', message: 'x' } },
  { type: 'done', value: 1, error: { kind: 'nope', message: 'x' } },
  '{"__proto__":{"type":"done","value":1}}',
  '{"type":"log","__proto__":{"text":"x"}}',
  { type: 'boot-ack' },
]

onEveryBackend((backend) => {
  const run = backend.use({ maxWallMs: 10_000, maxValueBytes: 4_096, maxLogBytes: 4_096 })

  describe('a frame that does not fit is dropped', () => {
    backend.it(
      'all of them at once',
      forged(JUNK, { typescript: 'return await tools.one()', python: 'return await tools.one()' }),
      async (program) => {
        expect(await run(program, { tools: TOOLS })).toMatchObject({
          value: 1,
          logs: [],
          calls: [{ id: 0, name: 'one' }],
        })
      },
    )

    for (const frame of JUNK) {
      const text = typeof frame === 'string' ? frame : JSON.stringify(frame)
      backend.it(`${text || 'an empty text'}`, forged([frame], RETURN_1), async (program) => {
        const result = await run(program, { tools: TOOLS })
        expect(result).toMatchObject({ value: 1, logs: [], calls: [] })
        expect(result.error).toBeUndefined()
      })
    }

    backend.it(
      'values that are no text at all',
      {
        typescript: `const { parentPort } = await import('node:worker_threads'); const shared = new SharedArrayBuffer(8); const own = []; own.push(own); for (const junk of [undefined, null, 5, 1n, { type: 'done', value: 2 }, [1], new Map(), new Date(), shared, Buffer.from('{"type":"done"}'), new Error('x'), own, new String('{"type":"done"}')]) parentPort.postMessage(junk); return 1`,
      },
      async (program) => expect(await run(program)).toMatchObject({ value: 1 }),
    )
  })

  describe('a frame is rebuilt field by field', () => {
    backend.each<[object]>(
      [
        ['a done without value', forged([{ type: 'done' }], LOOP), { logs: [] }],
        [
          'a done with value',
          forged([{ type: 'done', value: { a: 1 }, usage: { wallMs: 1 }, logs: ['x'], calls: [] }], LOOP),
          { value: { a: 1 }, logs: [] },
        ],
        [
          'a done with value and error',
          forged([{ type: 'done', value: 1, error: { kind: 'exception', message: 'm', extra: 1 } }], LOOP),
          { error: { kind: 'exception', message: 'm' } },
        ],
        [
          'the first of two',
          forged(
            [
              { type: 'done', value: 1 },
              { type: 'done', value: 2 },
            ],
            LOOP,
          ),
          { value: 1 },
        ],
        [
          'a log after a done',
          forged(
            [
              { type: 'log', text: 'a' },
              { type: 'done', value: 1 },
              { type: 'log', text: 'b' },
            ],
            LOOP,
          ),
          { value: 1, logs: ['a'] },
        ],
        ['a log of several lines', forged([{ type: 'log', text: 'a\nb', extra: 1 }], RETURN_1), { logs: ['a', 'b'] }],
        [
          'an open log',
          forged(
            [
              { type: 'log', text: 'a', open: true },
              { type: 'log', text: 'b', open: 1 },
              { type: 'log', text: 'c', open: 'true' },
            ],
            RETURN_1,
          ),
          { logs: ['ab', 'c'] },
        ],
        ['a member named __proto__', forged(['{"type":"done","value":{"__proto__":{"a":1}}}'], LOOP), {}],
      ],
      async (program, expected) => {
        const result = await run(program)
        expect(result).toMatchObject(expected)
        expect(Object.keys(result).toSorted()).toEqual(
          [
            'calls',
            'logs',
            'usage',
            ...('error' in result ? ['error'] : []),
            ...('value' in result ? ['value'] : []),
          ].toSorted(),
        )
        if (result.error) expect(Object.keys(result.error).toSorted()).toEqual(['kind', 'message'])
      },
    )

    backend.it(
      '3,000 levels cross',
      {
        typescript: `const { parentPort } = await import('node:worker_threads'); parentPort.postMessage('{"type":"done","value":' + '['.repeat(1500) + ']'.repeat(1500) + '}'); for (;;) {}`,
      },
      async (program) => {
        expect(JSON.stringify((await run(program)).value)).toBe('['.repeat(1_500) + ']'.repeat(1_500))
      },
    )

    backend.it(
      '20,000 levels are over the budget',
      {
        typescript: `const { parentPort } = await import('node:worker_threads'); parentPort.postMessage('{"type":"done","value":' + '['.repeat(20000) + ']'.repeat(20000) + '}'); for (;;) {}`,
      },
      async (program) => {
        expect((await run(program)).error?.kind).toBe('output-limit')
      },
    )
  })

  describe('the log', () => {
    const marker = '[code-runtime] log capture truncated at 4096 bytes'
    backend.each<[string[]]>(
      [
        [
          'only a literal true truncates',
          forged(
            [
              { type: 'log', text: 'a', truncated: 'yes' },
              { type: 'log', text: 'b', truncated: 1 },
            ],
            RETURN_1,
          ),
          ['a', 'b'],
        ],
        [
          'the text of a truncation is never used',
          forged(
            [
              { type: 'log', text: 'forged', truncated: true },
              { type: 'log', text: 'again', truncated: true },
              { type: 'log', text: 'more' },
            ],
            RETURN_1,
          ),
          [marker],
        ],
        [
          '1,000 lone surrogates cost six bytes each',
          forged([{ type: 'log', text: '\ud800'.repeat(1_000) }], RETURN_1),
          [marker],
        ],
        ['680 fit', forged([{ type: 'log', text: '\ud800'.repeat(680) }], RETURN_1), ['\ud800'.repeat(680)]],
      ],
      async (program, logs) => expect((await run(program)).logs).toEqual(logs),
    )

    backend.it(
      '4,000,000 NULs',
      {
        typescript: `const { parentPort } = await import('node:worker_threads'); parentPort.postMessage(JSON.stringify({ type: 'log', text: '\\0'.repeat(4e6) })); return 1`,
      },
      async (program) => expect(await run(program)).toMatchObject({ value: 1, logs: [marker] }),
    )
  })

  describe('calls', () => {
    backend.it(
      'of undeclared names and globals are refused by the host',
      forged(
        [
          { ...call, name: 'nope' },
          { ...call, id: 1, global: 'toString' },
          { ...call, id: 2, name: '__proto__' },
        ],
        { typescript: `await new Promise((done) => setTimeout(done, 50)); return 1` },
      ),
      async (program) => {
        const { value, calls } = await run(program, { tools: TOOLS })
        expect(value).toBe(1)
        expect(calls.map(({ state, error }) => [state, error])).toEqual([
          ['failed', 'unknown binding tools.nope'],
          ['failed', 'unknown binding toString.one'],
          ['failed', 'unknown binding tools.__proto__'],
        ])
      },
    )

    backend.it(
      'a name of 100,000 characters is shown in part',
      forged([{ ...call, name: 'n'.repeat(100_000) }], {
        typescript: `await new Promise((done) => setTimeout(done, 50)); return 1`,
      }),
      async (program) => {
        const [record] = (await run(program, { tools: TOOLS })).calls
        expect([record?.name.length, (record?.error?.length ?? 0) < 2_100]).toEqual([1_024, true])
      },
    )

    backend.it(
      '2,000 with descending ids are no calls',
      {
        typescript: `const { parentPort } = await import('node:worker_threads'); for (let id = 2000; id > 0; id--) parentPort.postMessage(JSON.stringify({ type: 'call', id, global: 'tools', name: 'one', args: null })); return await tools.one()`,
      },
      async (program) => {
        expect((await run(program, { tools: TOOLS })).calls.map(({ id }) => id)).toEqual([0])
      },
    )

    backend.it(
      'a forged id is spent: the honest call of that id is dropped',
      forged([call], {
        typescript: `const race = await Promise.race([tools.echo(5), new Promise((done) => setTimeout(done, 100, 'dropped'))]); return race`,
      }),
      async (program) => {
        const result = await run(program, { tools: TOOLS })
        expect([result.calls.map(({ name }) => name), result.value]).toEqual([['one'], 1])
      },
    )

    backend.it(
      '5,000 whose replies are never read end the run',
      {
        typescript: `const { parentPort } = await import('node:worker_threads'); for (let id = 0; id < 5000; id++) parentPort.postMessage(JSON.stringify({ type: 'call', id, global: 'tools', name: 'big', args: null })); for (;;) {}`,
      },
      async (program) => {
        const { error } = await run(program, { tools: { big: () => 'x'.repeat(2_000) } })
        expect([error?.kind, error?.message]).toEqual(['worker-exit', expect.stringContaining('1024')])
      },
    )
  })

  describe('frames and the cap', () => {
    backend.it(
      'one over the cap ends the run, unparsed',
      {
        typescript: `const { parentPort } = await import('node:worker_threads'); parentPort.postMessage('x'.repeat(67108865)); for (;;) {}`,
      },
      async (program) => {
        const { error } = await run(program)
        expect([error?.kind, error?.message]).toEqual([
          'worker-exit',
          expect.stringMatching(/frame.*exceeded \d+ bytes/),
        ])
      },
    )

    backend.it(
      'the cap counts bytes, not characters',
      {
        typescript: `const { parentPort } = await import('node:worker_threads'); parentPort.postMessage('中'.repeat(23e6)); for (;;) {}`,
      },
      async (program) => {
        expect((await run(program)).error?.kind).toBe('worker-exit')
      },
    )

    backend.it(
      'a second boot-ack does not start the program again',
      forged([{ type: 'boot-ack' }, { type: 'boot-ack' }], {
        typescript: `console.log('once'); await new Promise((done) => setTimeout(done, 50)); return 1`,
        python: `print('once')\nreturn 1`,
      }),
      async (program) => {
        expect((await run(program)).logs).toEqual(['once'])
      },
    )
  })

  describe('frames that a program forges to its own agent', () => {
    const dispatch = (text: string) =>
      `const { parentPort } = await import('node:worker_threads'); parentPort.dispatchEvent?.(new MessageEvent('message', { data: ${JSON.stringify(text)} }));`
    it.skipIf(backend.language !== 'typescript').each([
      ['a reply of no call', '{"type":"reply","id":99,"ok":true,"value":1}', { value: 1 }],
      ['an unknown frame', '{"type":"nope"}', { value: 1 }],
      [
        'a boot with larger limits',
        '{"type":"boot","maxLogBytes":1e9,"maxValueBytes":1e9,"namespaces":[]}',
        { error: { kind: 'output-limit' } },
      ],
    ])('%s', async (_title, frame, expected) => {
      const rest = 'value' in expected ? 'return 1' : `return 'x'.repeat(5000)`
      expect(await run(`${dispatch(frame)} ${rest}`, { tools: TOOLS })).toMatchObject(expected)
    })
  })
})
