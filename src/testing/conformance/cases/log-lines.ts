import type { ConformanceCase } from '../case.js'
import { hasShape } from '../check.js'
import { gives, prints, rows } from '../expectations.js'
import { type PrintedRow, printing, writing, writingBytes } from '../printing.js'

const LINES = rows<PrintedRow>(
  [
    [
      'two values in one print are one entry',
      { javascript: `console.log('a', 'b'); console.log('c')`, python: `print('a', 'b')\nprint('c')` },
      ['a b', 'c'],
    ],
    ['a text with newlines is several entries', printing('a\nb\n'), ['a', 'b', '']],
    [
      'a blank line is an entry',
      { javascript: `console.log(); console.log('')`, python: `print()\nprint('')` },
      ['', ''],
    ],
    ['a carriage return is text', printing('a\r', 'b\rc'), ['a\r', 'b\rc']],
    ['odd characters arrive as printed', printing('\t"\\\u0001é😀\u2028\u0000'), ['\t"\\\u0001é😀\u2028\u0000']],
    ['a byte order mark is text', printing('\ufeffa'), ['\ufeffa']],
    [
      'lone surrogates are replaced',
      { javascript: `console.log('\\ud800x', '\\udc00')`, python: `print('\\ud800x', '\\udc00')` },
      ['\ufffdx \ufffd'],
    ],
    [
      'what was printed before a throw is kept',
      { javascript: `console.log('kept'); throw new Error('x')`, python: `print('kept')\nraise ValueError('x')` },
      ['kept'],
    ],
  ],
  (programs, logs, ...requires) => ({ section: '6.1', programs, requires, run: prints(logs) }),
)

const OPEN_LINES = rows<PrintedRow>(
  [
    ['an unterminated line is an entry', writing(['partial']), ['partial']],
    ['a line in pieces is one entry', writing(['a', 'b', '', 'c\nd', 'e\n', 'f']), ['abc', 'de', 'f']],
    ['an empty write leaves nothing', writing(['', '', '']), []],
    ['a newline ends an open line', writing(['x', '\n', '\n']), ['x', '']],
    [
      'each stream has an open line of its own',
      {
        javascript: `process.stdout.write('a'); process.stderr.write('1'); process.stdout.write('b'); process.stderr.write('2\\n'); process.stdout.write('c')`,
        python: `import sys\nfor s, t in ((sys.stdout, 'a'), (sys.stderr, '1'), (sys.stdout, 'b'), (sys.stderr, '2\\n'), (sys.stdout, 'c')):\n  s.write(t); s.flush()`,
      },
      ['abc', '12'],
    ],
    [
      'an open line before a throw is kept',
      {
        javascript: `process.stdout.write('kept'); throw new Error('x')`,
        python: `print('kept', end='')\nraise ValueError('x')`,
      },
      ['kept'],
    ],
  ],
  (programs, logs) => ({ section: '6.3', programs, requires: ['streams'], run: prints(logs) }),
)

const BEFORE_THE_END: readonly ConformanceCase[] = [
  {
    section: '6.2',
    title: 'what was printed before a budget ended the run is there',
    programs: {
      javascript: `console.log('line'); for (;;) {}`,
      python: `print('line')\nwhile True: pass`,
    },
    limits: { maxWallMs: 1_000 },
    run: gives({ error: { kind: 'timeout' }, logs: ['line'] }),
  },
  {
    section: '6.2',
    title: 'what was printed without a flush before a budget ended the run is there',
    programs: {
      javascript: `process.stdout.write('open'); for (;;) {}`,
      python: `import time\nprint('open', end='')\ntime.sleep(60)`,
    },
    requires: ['streams'],
    limits: { maxWallMs: 1_000 },
    reports: ['microsoft/autogen#3534'],
    run: gives({ error: { kind: 'timeout' }, logs: ['open'] }),
  },
  {
    section: '6.3',
    title: 'an open line is heard at once',
    programs: {
      javascript: `process.stdout.write('open'); for (;;) {}`,
      python: `print('open', end='', flush=True)\nwhile True: pass`,
    },
    requires: ['streams'],
    run: async ({ run }) => {
      const controller = new AbortController()
      const result = await run({
        signal: controller.signal,
        onEvent: (event) => event.type === 'log' && controller.abort(`heard ${event.text}`),
      })
      hasShape(result, { logs: ['open'], error: { message: 'heard open' } })
    },
  },
]

const UTF8 = rows<PrintedRow>(
  [
    ['a character split across chunks stays whole', writingBytes([[0xf0], [0x9f, 0x98], [0x80, 0x0a]]), ['😀']],
    ['an illegal sequence is replaced', writingBytes([[0x61, 0xff, 0x62, 0x0a]]), ['a\ufffdb']],
    ['a surrogate in UTF-8 is three replacements', writingBytes([[0xed, 0xa0, 0x80, 0x0a]]), ['\ufffd\ufffd\ufffd']],
    ['a character that never became whole is replaced at the end', writingBytes([[0x61, 0xe2, 0x82]]), ['a\ufffd']],
    ['NUL is text', writingBytes([[0, 0, 0x0a]]), ['\0\0']],
  ],
  (programs, logs) => ({ section: '6.5', programs, requires: ['bytes'], run: prints(logs) }),
)

const STRAY: readonly ConformanceCase[] = [
  {
    section: '6.4',
    title: 'what bypasses the streams is captured as lines',
    programs: {
      javascript: `const fs = await import('node:fs'); fs.writeSync(1, 'a\\nb'); fs.writeSync(2, 'c\\n'); fs.writeFileSync(1, Buffer.from('d\\n')); await new Promise((done) => fs.write(1, 'e', done))`,
      python: `import os\nos.write(1, b'a\\nb'); os.write(2, b'c\\n'); os.write(1, b'd\\n'); os.write(1, b'e')`,
    },
    requires: ['stray-output'],
    run: gives({ logs: (logs: string[]) => logs.toSorted().join() === 'a,bd,c,e' }),
  },
  {
    section: '6.4',
    title: 'frames written to standard output are text',
    programs: {
      javascript: `const fs = await import('node:fs'); fs.writeSync(1, '{"type":"done","value":2}\\n'); return 1`,
      python: `import os\nos.write(1, b'{"type":"done","value":2}\\n')\nreturn 1`,
    },
    requires: ['stray-output'],
    reports: ['stanfordnlp/dspy#9234'],
    run: gives({ value: 1, logs: ['{"type":"done","value":2}'] }),
  },
  {
    section: '6.4',
    title: 'what a subprocess prints is captured',
    programs: { python: `import subprocess\nsubprocess.run(['/bin/echo', 'from a child'])\nreturn 1` },
    requires: ['stray-output', 'subprocesses'],
    reports: ['stanfordnlp/dspy#9234'],
    run: gives({ value: 1, logs: ['from a child'] }),
  },
]

export const LOG_LINE_CASES: readonly ConformanceCase[] = [
  ...LINES,
  ...BEFORE_THE_END,
  ...OPEN_LINES,
  ...STRAY,
  ...UTF8,
]
