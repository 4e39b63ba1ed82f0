import { deepStrictEqual, strictEqual } from 'node:assert'
import type { ConformanceCase, Programs } from '../case.js'
import { ABSENT, hasShape } from '../check.js'
import { failsAs, gives, rows } from '../expectations.js'
import { forging, LOOP, RETURN_1 } from '../forging.js'
import { FORGED_CALL, HOSTILE_LIMITS, hostile } from '../hostile.js'

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
  { ...FORGED_CALL, id: '0' },
  { ...FORGED_CALL, id: null },
  { ...FORGED_CALL, id: 0.5 },
  { ...FORGED_CALL, id: -1 },
  { ...FORGED_CALL, id: 1 },
  { ...FORGED_CALL, id: 2 ** 53 },
  { ...FORGED_CALL, global: 5 },
  { ...FORGED_CALL, name: null },
  { ...FORGED_CALL, name: ['one'] },
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
    limits: HOSTILE_LIMITS,
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

export const FORGED_FRAME_CASES: readonly ConformanceCase[] = [...DROPPED, ...REBUILT, ...NESTED]
