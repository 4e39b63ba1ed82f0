import { deepStrictEqual, strictEqual } from 'node:assert'
import { truncationMarker } from '../../../domain/ledger.js'
import type { ConformanceCase, Programs } from '../case.js'
import { ABSENT, hasShape } from '../check.js'
import { failsAs, gives, prints, returns, rows } from '../expectations.js'
import { forging, LOOP, RETURN_1 } from '../forging.js'

const LIMITS = { maxWallMs: 10_000, maxValueBytes: 4_096, maxLogBytes: 4_096 }
const MARKER = truncationMarker(4_096)
const CALL = { type: 'call', id: 0, global: 'tools', name: 'one', args: null }

/** What every case here needs: a program that can write to the channel, and small budgets. */
const hostile = (section: string, title: string, programs: Programs, run: ConformanceCase['run']): ConformanceCase => ({
  section,
  title,
  programs,
  requires: ['channel'],
  limits: LIMITS,
  run,
})

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
  { ...CALL, id: '0' },
  { ...CALL, id: null },
  { ...CALL, id: 0.5 },
  { ...CALL, id: -1 },
  { ...CALL, id: 1 },
  { ...CALL, id: 2 ** 53 },
  { ...CALL, global: 5 },
  { ...CALL, name: null },
  { ...CALL, name: ['one'] },
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

const DROPPED: readonly ConformanceCase[] = [
  hostile(
    '10.1',
    'all frames that do not fit are dropped at once',
    forging(JUNK, { javascript: 'return await tools.one()', python: 'return await tools.one()' }),
    gives({ value: 1, logs: [], calls: [{ id: 0, name: 'one' }] }),
  ),
  ...JUNK.map((frame) => {
    const text = typeof frame === 'string' ? frame : JSON.stringify(frame)
    return hostile(
      '10.1',
      `dropped: ${text === '' ? 'an empty text' : JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')}`,
      forging([frame], RETURN_1),
      gives({ error: ABSENT, value: 1, logs: [], calls: [] }),
    )
  }),
  hostile(
    '10.1',
    'values that are no text at all are dropped',
    {
      javascript: `const { parentPort } = await import('node:worker_threads'); const shared = new SharedArrayBuffer(8); const own = []; own.push(own); for (const junk of [undefined, null, 5, 1n, { type: 'done', value: 2 }, [1], new Map(), new Date(), shared, Buffer.from('{"type":"done"}'), new Error('x'), own, new String('{"type":"done"}')]) parentPort.postMessage(junk); return 1`,
      python: `import os\nos.write(3, bytes(range(256)) + b'\\n\\xff\\xfe\\n"\\xed\\xa0\\x80"\\n')\nreturn 1`,
    },
    gives({ error: ABSENT, value: 1, logs: [] }),
  ),
]

const RESULT_KEYS = ['calls', 'error', 'logs', 'usage', 'value']

const hasOnly =
  (shape: object): ConformanceCase['run'] =>
  async ({ run }) => {
    const result = await run()
    hasShape(result, shape)
    deepStrictEqual(
      [...Object.keys(result), ...Object.keys(result.error ?? {})].filter(
        (key) => ![...RESULT_KEYS, 'kind', 'message'].includes(key),
      ),
      [],
    )
  }

const REBUILT = rows<[frames: readonly unknown[], rest: Programs, shape: object]>(
  [
    [
      'a done without value is a success without value',
      [{ type: 'done' }],
      LOOP,
      { logs: [], value: ABSENT, error: ABSENT },
    ],
    [
      'fields that a done does not have never ride along',
      [{ type: 'done', value: { a: 1 }, usage: { wallMs: 1 }, logs: ['x'], calls: [] }],
      LOOP,
      { value: { a: 1 }, logs: [] },
    ],
    [
      'with value and error the error counts',
      [{ type: 'done', value: 1, error: { kind: 'exception', message: 'm', extra: 1 } }],
      LOOP,
      { value: ABSENT, error: { kind: 'exception', message: 'm' } },
    ],
    [
      'the first done counts',
      [
        { type: 'done', value: 1 },
        { type: 'done', value: 2 },
      ],
      LOOP,
      { value: 1 },
    ],
    [
      'a log after a done is dropped',
      [
        { type: 'log', text: 'a' },
        { type: 'done', value: 1 },
        { type: 'log', text: 'b' },
      ],
      LOOP,
      { value: 1, logs: ['a'] },
    ],
    [
      'a log of several lines is several entries',
      [{ type: 'log', text: 'a\nb', extra: 1 }],
      RETURN_1,
      { logs: ['a', 'b'] },
    ],
    [
      'only a literal true leaves a line open',
      [
        { type: 'log', text: 'a', open: true },
        { type: 'log', text: 'b', open: 1 },
        { type: 'log', text: 'c', open: 'true' },
      ],
      RETURN_1,
      { logs: ['ab', 'c'] },
    ],
  ],
  (frames, rest, shape) => ({
    section: '10.1',
    programs: forging(frames, rest),
    requires: ['channel'],
    limits: LIMITS,
    run: hasOnly(shape),
  }),
)

const levels = (count: number): string => '['.repeat(count) + ']'.repeat(count)

const NESTED: readonly ConformanceCase[] = [
  hostile(
    '10.1',
    'a member named __proto__ is data',
    forging(['{"type":"done","value":{"__proto__":{"a":1}}}'], LOOP),
    async ({ run }) => {
      strictEqual(JSON.stringify((await run()).value), '{"__proto__":{"a":1}}')
    },
  ),
  hostile(
    '10.1',
    'a forged value of 1,500 levels crosses',
    forging([`{"type":"done","value":${levels(1_500)}}`], LOOP),
    async ({ run }) => {
      strictEqual(JSON.stringify((await run()).value), levels(1_500))
    },
  ),
  hostile(
    '10.1',
    'a forged value of 20,000 levels is over the budget',
    forging([`{"type":"done","value":${levels(20_000)}}`], LOOP),
    failsAs('output-limit'),
  ),
]

const LOGS: readonly ConformanceCase[] = [
  hostile(
    '6.7',
    'only a literal true truncates the log',
    forging(
      [
        { type: 'log', text: 'a', truncated: 'yes' },
        { type: 'log', text: 'b', truncated: 1 },
      ],
      RETURN_1,
    ),
    prints(['a', 'b']),
  ),
  hostile(
    '6.7',
    'the text of a truncation is never used',
    forging(
      [
        { type: 'log', text: 'forged', truncated: true },
        { type: 'log', text: 'again', truncated: true },
        { type: 'log', text: 'more' },
      ],
      RETURN_1,
    ),
    prints([MARKER]),
  ),
  hostile(
    '6.6',
    '1,000 forged lone surrogates cost six bytes each',
    forging([{ type: 'log', text: '\ud800'.repeat(1_000) }], RETURN_1),
    prints([MARKER]),
  ),
  hostile(
    '6.6',
    '680 forged lone surrogates fit',
    forging([{ type: 'log', text: '\ud800'.repeat(680) }], RETURN_1),
    prints(['\ud800'.repeat(680)]),
  ),
  hostile(
    '6.8',
    '4,000,000 forged NULs are bounded',
    {
      javascript: `const { parentPort } = await import('node:worker_threads'); parentPort.postMessage(JSON.stringify({ type: 'log', text: '\\0'.repeat(4e6) })); return 1`,
      python: `import os\ntext = b'{"type":"log","text":"' + b'\\\\u0000' * 4000000 + b'"}\\n'\nwhile text: text = text[os.write(3, text):]\nreturn 1`,
    },
    gives({ value: 1, logs: [MARKER] }),
  ),
]

const CALLS: readonly ConformanceCase[] = [
  hostile(
    '4.5',
    'forged calls of undeclared names are refused by the host',
    forging(
      [
        { ...CALL, name: 'nope' },
        { ...CALL, id: 1, global: 'toString' },
        { ...CALL, id: 2, name: '__proto__' },
      ],
      {
        javascript: 'await new Promise((done) => setTimeout(done, 50)); return 1',
        python: 'import asyncio\nawait asyncio.sleep(0.05)\nreturn 1',
      },
    ),
    gives({
      value: 1,
      calls: [
        { state: 'failed', error: 'unknown binding tools.nope' },
        { state: 'failed', error: 'unknown binding toString.one' },
        { state: 'failed', error: 'unknown binding tools.__proto__' },
      ],
    }),
  ),
  hostile(
    '10.1',
    'a forged name of 100,000 characters is shown in part',
    forging([{ ...CALL, name: 'n'.repeat(100_000) }], {
      javascript: 'await new Promise((done) => setTimeout(done, 50)); return 1',
      python: 'import asyncio\nawait asyncio.sleep(0.05)\nreturn 1',
    }),
    gives({
      calls: [{ name: (name: string) => name.length === 1_024, error: (text: string) => text.length < 2_100 }],
    }),
  ),
  hostile(
    '4.9',
    '2,000 forged calls with descending ids are no calls',
    forging(
      Array.from({ length: 2_000 }, (_, index) => ({ ...CALL, id: 2_000 - index })),
      { javascript: 'return await tools.one()', python: 'return await tools.one()' },
    ),
    gives({ value: 1, calls: [{ id: 0 }] }),
  ),
  hostile(
    '4.9',
    'a forged id is spent: the honest call of that id is dropped',
    forging([CALL], {
      javascript: `return await Promise.race([tools.echo(5), new Promise((done) => setTimeout(done, 100, 'dropped'))])`,
    }),
    gives({ value: 1, calls: [{ name: 'one' }] }),
  ),
  hostile(
    '4.8',
    '5,000 forged calls whose replies are never read end the run',
    {
      javascript: `const { parentPort } = await import('node:worker_threads'); for (let id = 0; id < 5000; id++) parentPort.postMessage(JSON.stringify({ type: 'call', id, global: 'tools', name: 'big', args: null })); for (;;) {}`,
      python: `import os\nfor id in range(5000): os.write(3, b'{"type":"call","id":%d,"global":"tools","name":"big","args":null}\\n' % id)\nwhile True: pass`,
    },
    failsAs('worker-exit', /1024/, { tools: { big: () => 'x'.repeat(2_000) } }),
  ),
]

const CAP: readonly ConformanceCase[] = [
  hostile(
    '10.2',
    'a frame over the cap ends the run, unparsed',
    {
      javascript: `const { parentPort } = await import('node:worker_threads'); parentPort.postMessage('x'.repeat(67108865)); for (;;) {}`,
      python: `import os\npiece = b'x' * 65536\nfor _ in range(1025): os.write(3, piece)\nwhile True: pass`,
    },
    failsAs('worker-exit', /frame.*exceeded \d+ bytes/),
  ),
  hostile(
    '10.2',
    'the cap counts bytes, not characters',
    {
      javascript: `const { parentPort } = await import('node:worker_threads'); parentPort.postMessage('中'.repeat(23e6)); for (;;) {}`,
      python: `import os\npiece = '中'.encode() * 20000\nfor _ in range(1150): os.write(3, piece)\nwhile True: pass`,
    },
    failsAs('worker-exit', /exceeded/),
  ),
  hostile(
    '10.3',
    'a second boot-ack does not start the program again',
    forging([{ type: 'boot-ack' }, { type: 'boot-ack' }], {
      javascript: `console.log('once'); await new Promise((done) => setTimeout(done, 50)); return 1`,
      python: `import asyncio\nprint('once')\nawait asyncio.sleep(0.05)\nreturn 1`,
    }),
    gives({ value: 1, logs: ['once'] }),
  ),
]

const dispatching = (frame: string, rest: string): Programs => ({
  javascript: `const { parentPort } = await import('node:worker_threads'); parentPort.dispatchEvent?.(new MessageEvent('message', { data: ${JSON.stringify(frame)} })); ${rest}`,
})

const TO_ITS_OWN_AGENT: readonly ConformanceCase[] = [
  hostile(
    '10.1',
    'a reply of no call that a program forges to its own agent changes nothing',
    dispatching('{"type":"reply","id":99,"ok":true,"value":1}', 'return 1'),
    returns(1),
  ),
  hostile(
    '10.1',
    'an unknown frame that a program forges to its own agent changes nothing',
    dispatching('{"type":"nope"}', 'return 1'),
    returns(1),
  ),
  hostile(
    '10.1',
    'a boot with larger limits that a program forges to its own agent does not count',
    dispatching('{"type":"boot","maxLogBytes":1e9,"maxValueBytes":1e9,"namespaces":[]}', `return 'x'.repeat(5000)`),
    failsAs('output-limit'),
  ),
]

export const HOSTILE_GUEST_CASES: readonly ConformanceCase[] = [
  ...DROPPED,
  ...REBUILT,
  ...NESTED,
  ...LOGS,
  ...CALLS,
  ...CAP,
  ...TO_ITS_OWN_AGENT,
]
