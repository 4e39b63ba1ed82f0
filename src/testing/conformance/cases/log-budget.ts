import { deepStrictEqual, ok } from 'node:assert'
import { jsonTextBytes } from '../../../domain/json-cost.js'
import { truncationMarker } from '../../../domain/ledger.js'
import type { RunResult } from '../../../domain/outcome.js'
import type { Requirement } from '../capabilities.js'
import type { ConformanceCase, Programs } from '../case.js'
import { ABSENT, hasShape } from '../check.js'
import { gives, prints, rows } from '../expectations.js'
import { type PrintedRow, printing, writing } from '../printing.js'

const SMALL_BYTES = 64
const LARGE_BYTES = 4_096
const SMALL_MARKER = truncationMarker(SMALL_BYTES)
const LARGE_MARKER = truncationMarker(LARGE_BYTES)

const a = (count: number): string => 'a'.repeat(count)

const LEDGER = rows<PrintedRow>(
  [
    ['60 characters fit into 64 bytes', printing(a(60)), [a(60)]],
    ['61 do not', printing(a(61)), [SMALL_MARKER]],
    ['nothing follows the marker', printing(a(100), 'second'), [SMALL_MARKER]],
    ['what fits stays before the marker', printing('word', a(100), 'b'), ['word', SMALL_MARKER]],
    ['21 blank lines fit', printing(...Array(21).fill('')), Array(21).fill('')],
    ['22 blank lines do not', printing(...Array(22).fill('')), [...Array(21).fill(''), SMALL_MARKER]],
    ['10 control characters fit', printing('\u0001'.repeat(10)), ['\u0001'.repeat(10)]],
    ['11 control characters do not', printing('\u0001'.repeat(11)), [SMALL_MARKER]],
    ['short escapes cost two', printing('\t'.repeat(30)), ['\t'.repeat(30)]],
    ['31 short escapes do not fit', printing('\t'.repeat(31)), [SMALL_MARKER]],
    ['quotes cost two', printing('"'.repeat(31)), [SMALL_MARKER]],
    [
      'a replacement costs three',
      { javascript: `console.log('\\ud800'.repeat(20))`, python: `print('\\ud800' * 20)` },
      ['\ufffd'.repeat(20)],
    ],
    [
      '21 replacements do not fit',
      { javascript: `console.log('\\ud800'.repeat(21))`, python: `print('\\ud800' * 21)` },
      [SMALL_MARKER],
    ],
    ['an astral character costs four', printing('😀'.repeat(15)), ['😀'.repeat(15)]],
    ['16 astral characters do not fit', printing('😀'.repeat(16)), [SMALL_MARKER]],
    ['30 flushed and 30 closing are one entry of 60', writing([a(30), `${a(30)}\n`]), [a(60)], 'streams'],
    ['30 flushed and 31 closing keep the 30', writing([a(30), `${a(31)}\n`]), [a(30), SMALL_MARKER], 'streams'],
    ['40 flushed and 40 closing keep the 40', writing([a(40), `${a(40)}\n`]), [a(40), SMALL_MARKER], 'streams'],
    ['of 2,000 open pieces 60 are kept', writing(Array(2_000).fill('a')), [a(60), SMALL_MARKER], 'streams'],
    [
      'sixteen flushed pieces and a newline are billed once',
      writing([...Array(16).fill('x'), '\n']),
      ['x'.repeat(16)],
      'streams',
    ],
    [
      'a short line after one that was not admitted is gone',
      writing(['word', a(100), '\nb\n']),
      ['word', SMALL_MARKER],
      'streams',
    ],
    [
      'an open line of 10 control characters is kept, the 11th is not',
      writing(['\u0001'.repeat(10), '\u0001']),
      ['\u0001'.repeat(10), SMALL_MARKER],
      'streams',
    ],
  ],
  (programs, logs, ...requires) => ({
    section: '6.6',
    programs,
    requires,
    limits: { maxLogBytes: SMALL_BYTES },
    run: prints(logs),
  }),
)

const MIXED: ConformanceCase = {
  section: '6.6',
  title: 'what is kept costs at most the budget, whatever the mix',
  programs: {
    javascript: `let n = 7; for (let i = 0; i < 2000; i++) { n = (n * 48271) % 2147483647; process[n % 2 ? 'stdout' : 'stderr'].write('é"\\n\\t😀x'.repeat(n % 3).slice(0, n % 5)) }`,
    python: `import sys\nn = 7\nfor i in range(2000):\n  n = (n * 48271) % 2147483647\n  s = sys.stdout if n % 2 else sys.stderr\n  s.write(('é"\\n\\t😀x' * (n % 3))[:n % 5]); s.flush()`,
  },
  requires: ['streams'],
  limits: { maxLogBytes: LARGE_BYTES },
  run: async ({ run }) => {
    const { logs } = await run()
    isBounded(logs)
    ok(logs.length > 10, 'more than ten entries are kept')
  },
}

const isBounded = (logs: readonly string[]): void => {
  deepStrictEqual(
    logs.flatMap((text, index) => (text === LARGE_MARKER ? [index] : [])),
    [logs.length - 1],
    'the marker is there once, last',
  )
  const costBytes = logs.slice(0, -1).reduce((sum, text) => sum + entryBytes(text), 0)
  ok(costBytes < LARGE_BYTES, `what is kept costs ${costBytes} bytes`)
}

const entryBytes = (text: string): number => (jsonTextBytes(text, Number.POSITIVE_INFINITY) ?? 0) + 3

const isFloodBounded = ({ logs, usage, error }: RunResult): void => {
  hasShape({ error: error ?? null }, { error: null })
  isBounded(logs)
  ok(usage.bytesIn < 2_000_000, `${usage.bytesIn} bytes of frames came`)
}

const FLOODS = rows<readonly [programs: Programs, ...requires: Requirement[]]>(
  [
    [
      'one character at a time is bounded',
      {
        javascript: `for (let i = 0; i < 2e5; i++) process.stdout.write('x')`,
        python: `import sys\nfor _ in range(200000): sys.stdout.write('x')`,
      },
      'streams',
    ],
    ['2 MB without a newline is bounded', writing(['x'.repeat(2_000_000)]), 'streams'],
    ['all NUL is bounded', printing('\0'.repeat(4_000))],
    [
      'illegal bytes are bounded',
      {
        javascript: `process.stdout.write(Buffer.alloc(1e6, 0xff))`,
        python: `import os\nos.write(1, b'\\xff' * 1000000)`,
      },
      'bytes',
    ],
    [
      '500,000 lines in one print are bounded',
      { javascript: `console.log('line\\n'.repeat(5e5))`, python: `print('line\\n' * 500000)` },
    ],
    [
      '100,000 lines one by one are bounded',
      {
        javascript: `for (let i = 0; i < 1e5; i++) console.log('line', i)`,
        python: `for i in range(100000): print('line', i)`,
      },
    ],
    [
      '60 MB in one print are bounded',
      { javascript: `console.log('x'.repeat(6e7))`, python: `print('x' * 60000000)` },
      'large-values',
    ],
    ['60 MB of bytes are bounded', { javascript: `process.stdout.write(Buffer.alloc(6e7, 120))` }, 'bytes'],
    [
      'a pending character before 60 MB is bounded',
      {
        javascript: `process.stdout.write('p'); process.stdout.write('x'.repeat(6e7))`,
        python: `import sys\nsys.stdout.write('p')\nsys.stdout.write('x' * 60000000)`,
      },
      'streams',
      'large-values',
    ],
  ],
  (programs, ...requires) => ({
    section: '6.8',
    programs,
    requires,
    limits: { maxLogBytes: LARGE_BYTES },
    run: async ({ run }) => isFloodBounded(await run()),
  }),
)

const EMPTY_WRITES: ConformanceCase = {
  section: '6.8',
  title: 'a million empty writes cost nothing',
  programs: {
    javascript: `for (let i = 0; i < 1e6; i++) process.stdout.write(''); console.log('end')`,
    python: `import sys\nfor _ in range(1000000): sys.stdout.write('')\nprint('end')`,
  },
  requires: ['streams'],
  limits: { maxLogBytes: SMALL_BYTES },
  run: gives({ error: ABSENT, logs: ['end'], usage: { bytesIn: (count: number) => count < 1_000 } }),
}

export const LOG_BUDGET_CASES: readonly ConformanceCase[] = [...LEDGER, MIXED, ...FLOODS, EMPTY_WRITES]
