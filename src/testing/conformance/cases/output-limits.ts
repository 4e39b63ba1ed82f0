import { ok } from 'node:assert'
import { TRUNCATED_SUFFIX } from '../../../domain/diagnostic.js'
import type { Requirement } from '../capabilities.js'
import type { ConformanceCase, Programs } from '../case.js'
import { ABSENT, hasShape } from '../check.js'
import { failsAs, gives, returns, rows } from '../expectations.js'
import { forging, LOOP } from '../forging.js'

/** A statement over `text` repeated, in each language. */
const repeated = (text: string, count: number, keywords: { javascript: string; python: string }): Programs => ({
  javascript: `${keywords.javascript} ${JSON.stringify(text)}.repeat(${count})`,
  python: keywords.python.replace('_', `${JSON.stringify(text)} * ${count}`),
})
const returned = (text: string, count: number): Programs =>
  repeated(text, count, { javascript: 'return', python: 'return _' })
const raised = (text: string, count: number): Programs =>
  repeated(text, count, { javascript: 'throw', python: 'raise ValueError(_)' })

const hasLength = (length: number): ConformanceCase['run'] =>
  gives({ error: ABSENT, value: (value: { length: number }) => value.length === length })
const isOver = failsAs('output-limit')

const COMPLETIONS = rows<[programs: Programs, run: ConformanceCase['run'], ...requires: Requirement[]]>(
  [
    ['of exactly the budget is fine', returned('x', 62), hasLength(62)],
    ['of one byte more is output-limit', returned('x', 63), isOver],
    ['of 31 two-byte characters is fine', returned('é', 31), hasLength(31)],
    ['of 32 two-byte characters is output-limit', returned('é', 32), isOver],
    ['of 10 NULs, six bytes each, is fine', returned('\0', 10), hasLength(10)],
    ['of 11 NULs is output-limit', returned('\0', 11), isOver],
    ['of 15 astral characters is fine', returned('😀', 15), hasLength(30)],
    ['of 16 astral characters is output-limit', returned('😀', 16), isOver],
    ['of 31 items is fine', { javascript: 'return Array(31).fill(0)', python: 'return [0] * 31' }, hasLength(31)],
    ['of 32 items is output-limit', { javascript: 'return Array(32).fill(0)', python: 'return [0] * 32' }, isOver],
    [
      'of 2,000,000 items is output-limit',
      { javascript: 'return Array(2e6).fill(0)', python: 'return [0] * 2000000' },
      isOver,
    ],
    [
      'of 1,000,000 members is output-limit',
      {
        javascript: 'return Object.fromEntries(Array.from({ length: 1e6 }, (_, i) => [i, i]))',
        python: 'return {str(i): i for i in range(1000000)}',
      },
      isOver,
      'large-values',
    ],
    ['of 60 MB is output-limit', returned('x', 60_000_000), isOver, 'large-values'],
    ['over the budget is named with it, however small it is', returned('x', 5_000), failsAs('output-limit', /64/)],
  ],
  (programs, run, ...requires) => ({ section: '7.1', programs, requires, limits: { maxValueBytes: 64 }, run }),
  (title) => `a completion ${title}`,
)

const LARGE_COMPLETIONS = rows<[programs: Programs, run: ConformanceCase['run']]>(
  [
    [
      'a completion of 3,000,000 lone surrogates fits 18,000,002 bytes',
      returned('\ud800', 3_000_000),
      hasLength(3_000_000),
    ],
    ['a completion of one lone surrogate more does not', returned('\ud800', 3_000_001), isOver],
    [
      'a completion of 16 MB is exact',
      { javascript: `return ['x'.repeat(16e6)]`, python: `return ['x' * 16000000]` },
      gives({ value: [(text: string) => text === 'x'.repeat(16_000_000)] }),
    ],
  ],
  (programs, run) => ({
    section: '7.1',
    programs,
    requires: ['large-values'],
    limits: { maxValueBytes: 18_000_002, maxWallMs: 20_000 },
    reports: ['dreadnode/dyana#27', 'stanfordnlp/dspy#9233'],
    run,
  }),
)

const UNLIMITED: ConformanceCase = {
  section: '4.2',
  title: 'arguments and replies have no limit of the completion',
  programs: {
    javascript: `const text = await tools.echo('x'.repeat(204800)); return text.length`,
    python: `return len(await tools.echo('x' * 204800))`,
  },
  limits: { maxValueBytes: 64 },
  run: returns(204_800),
}

const bytesOf = (message: string): number => Buffer.byteLength(JSON.stringify(message)) - 2

/** The longest character in its escaped form. */
const LONGEST_CHARACTER_BYTES = 12

const isCutTo =
  (maxBytes: number): ConformanceCase['run'] =>
  async ({ run }) => {
    const { error } = await run()
    hasShape(error, { kind: 'exception', message: (text: string) => text.endsWith(TRUNCATED_SUFFIX) })
    const bytes = bytesOf(error?.message ?? '')
    ok(bytes <= maxBytes && bytes > maxBytes - LONGEST_CHARACTER_BYTES, `${bytes} bytes are kept`)
  }

const DIAGNOSTICS = rows<[programs: Programs]>(
  [
    ['a diagnostic of 100,000 characters is cut', raised('x', 100_000)],
    ['a diagnostic of NULs is cut by its escaped bytes', raised('\0', 100_000)],
    ['a diagnostic of astral characters is cut between two', raised('😀', 1_000)],
    ['a diagnostic of lone surrogates is cut', raised('\ud800', 1_000)],
  ],
  (programs) => ({ section: '7.2', programs, limits: { maxValueBytes: 40 }, run: isCutTo(40) }),
)

const CUT: readonly ConformanceCase[] = [
  {
    section: '7.2',
    title: 'a diagnostic under 15 bytes is the suffix alone',
    programs: raised('x', 100),
    limits: { maxValueBytes: 4 },
    run: gives({ error: { message: TRUNCATED_SUFFIX } }),
  },
  {
    section: '7.2',
    title: 'the diagnostic of a refused completion is cut too',
    programs: { javascript: `return { k: () => 1 }`, python: `return {"k": print}` },
    limits: { maxValueBytes: 40 },
    run: failsAs('invalid-output', /… \[truncated\]$/),
  },
  {
    section: '7.2',
    title: 'the diagnostic of a text that does not parse is cut too',
    programs: { javascript: `let = ${'x'.repeat(500)}`, python: `x = = ${'x'.repeat(500)}` },
    limits: { maxValueBytes: 40 },
    run: gives({ error: { kind: 'exception', message: (text: string) => bytesOf(text) <= 40 } }),
  },
]

const FORGED = rows<[frames: readonly unknown[], shape: object]>(
  [
    [
      'a forged value over the budget is output-limit',
      [{ value: 'x'.repeat(63) }],
      { error: { kind: 'output-limit' } },
    ],
    ['a forged value at the budget is fine', [{ value: 'x'.repeat(62) }], { value: 'x'.repeat(62) }],
    [
      'a forged error over the budget is cut',
      [{ error: { kind: 'exception', message: 'm'.repeat(500) } }],
      { error: { kind: 'exception', message: `${'m'.repeat(49)}${TRUNCATED_SUFFIX}` } },
    ],
    [
      'a forged error of six characters of three bytes is kept',
      [{ error: { kind: 'exception', message: '中'.repeat(6) } }],
      { error: { message: '中'.repeat(6) } },
    ],
    [
      'in a forged value over budget beats lossy',
      [`{"type":"done","value":[1e400,"${'x'.repeat(100)}"]}`],
      { error: { kind: 'output-limit' } },
    ],
    [
      'a forged number that is no double is invalid-output',
      ['{"type":"done","value":[1e400]}'],
      { error: { kind: 'invalid-output', message: /lossless JSON/ } },
    ],
    ['a forged negative zero is invalid-output', ['{"type":"done","value":-0}'], { error: { kind: 'invalid-output' } }],
  ],
  (frames, shape) => ({
    section: '7.3',
    programs: forging(
      frames.map((frame) => (typeof frame === 'string' ? frame : { type: 'done', ...(frame as object) })),
      LOOP,
    ),
    requires: ['channel'],
    limits: { maxValueBytes: 64 },
    run: gives(shape),
  }),
)

export const OUTPUT_LIMIT_CASES: readonly ConformanceCase[] = [
  UNLIMITED,
  ...COMPLETIONS,
  ...LARGE_COMPLETIONS,
  ...DIAGNOSTICS,
  ...CUT,
  ...FORGED,
]
