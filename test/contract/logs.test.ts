import { describe, expect, it } from 'vitest'
import { jsonTextBytes } from '../../src/domain/json-cost.js'
import { truncationMarker } from '../../src/index.js'
import { onEveryBackend, type Programs } from './backends.js'

/** A program that writes pieces to a stream, each on its own. */
const writing = (pieces: readonly string[], stream: 'stdout' | 'stderr' = 'stdout'): Programs => ({
  typescript: `for (const piece of ${JSON.stringify(pieces)}) process.${stream}.write(piece); return 1`,
  python: `import sys\nfor piece in ${JSON.stringify(pieces)}:\n  sys.${stream}.write(piece)\n  sys.${stream}.flush()\nreturn 1`,
})

const costOf = (text: string): number => (jsonTextBytes(text, Number.POSITIVE_INFINITY) ?? 0) + 3

onEveryBackend((backend) => {
  const run = backend.use()
  const run64 = backend.use({ maxLogBytes: 64 })
  const run4096 = backend.use({ maxLogBytes: 4_096 })
  const M64 = truncationMarker(64)
  const M4096 = truncationMarker(4_096)

  describe('an entry is a line', () => {
    backend.each<[string[]]>(
      [
        [
          'two values in one print',
          { typescript: `console.log('a', 'b'); console.log('c')`, python: `print('a', 'b')\nprint('c')` },
          ['a b', 'c'],
        ],
        [
          'a text with newlines',
          { typescript: `console.log('a\\nb\\n')`, python: `print('a\\nb\\n')` },
          ['a', 'b', ''],
        ],
        ['blank lines', { typescript: `console.log(); console.log('')`, python: `print()\nprint('')` }, ['', '']],
        ['an unterminated line', writing(['partial']), ['partial']],
        ['a line in pieces', writing(['a', 'b', '', 'c\nd', 'e\n', 'f']), ['abc', 'de', 'f']],
        ['a carriage return is text', writing(['a\r\nb\rc']), ['a\r', 'b\rc']],
        ['an empty write leaves nothing', writing(['', '', '']), []],
        ['a newline after an open line', writing(['x', '\n', '\n']), ['x', '']],
        ['odd characters', writing(['\t"\\\u0001é😀\u2028\u0000']), ['\t"\\\u0001é😀\u2028\u0000']],
        ['a byte order mark', writing(['\ufeffa\n']), ['\ufeffa']],
        [
          'lone surrogates are replaced',
          { typescript: `console.log('\\ud800x', '\\udc00')`, python: `print('\\ud800x', '\\udc00')` },
          ['\ufffdx \ufffd'],
        ],
        [
          'each stream has an open line of its own',
          {
            typescript: `process.stdout.write('a'); process.stderr.write('1'); process.stdout.write('b'); process.stderr.write('2\\n'); process.stdout.write('c')`,
            python: `import sys\nfor s, t in ((sys.stdout, 'a'), (sys.stderr, '1'), (sys.stdout, 'b'), (sys.stderr, '2\\n'), (sys.stdout, 'c')):\n  s.write(t); s.flush()`,
          },
          ['abc', '12'],
        ],
        [
          'what was printed before a throw',
          { typescript: `console.log('kept'); throw new Error('x')`, python: `print('kept')\nraise ValueError('x')` },
          ['kept'],
        ],
        [
          'an open line before a throw',
          {
            typescript: `process.stdout.write('kept'); throw new Error('x')`,
            python: `print('kept', end='')\nraise ValueError('x')`,
          },
          ['kept'],
        ],
      ],
      async (program, logs) => expect((await run(program)).logs).toEqual(logs),
    )

    backend.it(
      'what was printed before a budget ended the run is there',
      {
        typescript: `console.log('line'); process.stdout.write('open'); for (;;) {}`,
        python: `print('line')\nprint('open', end='')\nwhile True: pass`,
      },
      async (program) => {
        const runtime = await backend.create({ limits: { maxWallMs: 1_000 } })
        const { error, logs } = await runtime.run({ program })
        await runtime.dispose()
        expect([error?.kind, logs]).toEqual(['timeout', ['line', 'open']])
      },
    )

    it('an open line is heard at once', async () => {
      const controller = new AbortController()
      const { typescript, python } = {
        typescript: `process.stdout.write('open'); for (;;) {}`,
        python: `print('open', end='', flush=True)\nwhile True: pass`,
      }
      const { logs, error } = await run(backend.language === 'typescript' ? typescript : python, {
        signal: controller.signal,
        onEvent: (event) => event.type === 'log' && controller.abort(`heard ${event.text}`),
      })
      expect([logs, error?.message]).toEqual([['open'], 'heard open'])
    })
  })

  describe('bytes are UTF-8', () => {
    const bytes = (chunks: readonly (readonly number[])[]): Programs => ({
      typescript: `for (const chunk of ${JSON.stringify(chunks)}) process.stdout.write(Uint8Array.from(chunk))`,
      python: `import os\nfor chunk in ${JSON.stringify(chunks)}: os.write(1, bytes(chunk))`,
    })
    backend.each<[string[]]>(
      [
        ['a character split across chunks stays whole', bytes([[0xf0], [0x9f, 0x98], [0x80, 0x0a]]), ['😀']],
        ['an illegal sequence is replaced', bytes([[0x61, 0xff, 0x62, 0x0a]]), ['a\ufffdb']],
        ['a surrogate in UTF-8 is three replacements', bytes([[0xed, 0xa0, 0x80, 0x0a]]), ['\ufffd\ufffd\ufffd']],
        ['a character that never became whole is replaced at the end', bytes([[0x61, 0xe2, 0x82]]), ['a\ufffd']],
        ['NUL is text', bytes([[0, 0, 0x0a]]), ['\0\0']],
      ],
      async (program, logs) => expect((await run(program)).logs).toEqual(logs),
    )

    backend.it(
      'what bypasses the streams is captured as lines',
      {
        typescript: `const fs = await import('node:fs'); fs.writeSync(1, 'a\\nb'); fs.writeSync(2, 'c\\n'); fs.writeFileSync(1, Buffer.from('d\\n')); await new Promise((done) => fs.write(1, 'e', done))`,
        python: `import os, sys\nos.write(1, b'a\\nb'); os.write(2, b'c\\n'); os.write(1, b'd\\n'); os.write(1, b'e')`,
      },
      async (program) => expect((await run(program)).logs.toSorted()).toEqual(['a', 'bd', 'c', 'e']),
    )
  })

  describe('the ledger', () => {
    const a = (count: number) => 'a'.repeat(count)
    backend.each<[string[]]>(
      [
        ['60 characters fit into 64', writing([`${a(60)}\n`]), [a(60)]],
        ['61 do not', writing([`${a(61)}\n`]), [M64]],
        ['30 flushed and 30 closing are one entry of 60', writing([a(30), `${a(30)}\n`]), [a(60)]],
        ['30 flushed and 31 closing keep the 30', writing([a(30), `${a(31)}\n`]), [a(30), M64]],
        ['40 flushed and 40 closing keep the 40', writing([a(40), `${a(40)}\n`]), [a(40), M64]],
        ['2,000 open pieces', writing(Array(2_000).fill('a')), [a(60), M64]],
        [
          'sixteen flushed pieces and a newline are billed once',
          writing([...Array(16).fill('x'), '\n']),
          ['x'.repeat(16)],
        ],
        ['nothing follows the marker', writing([a(100), '\n', 'second\n']), [M64]],
        ['a short line after one that was not admitted', writing(['word', a(100), '\nb\n']), ['word', M64]],
        ['21 blank lines fit', writing(['\n'.repeat(21)]), Array(21).fill('')],
        ['22 do not', writing(['\n'.repeat(22)]), [...Array(21).fill(''), M64]],
        ['10 control characters fit, 11 do not', writing(['\u0001'.repeat(10), '\u0001']), ['\u0001'.repeat(10), M64]],
        ['short escapes cost two', writing(['\t'.repeat(30)]), ['\t'.repeat(30)]],
        ['31 short escapes do not fit', writing(['\t'.repeat(31)]), [M64]],
        ['quotes cost two', writing(['"'.repeat(31)]), [M64]],
        [
          'a replacement costs three',
          { typescript: `console.log('\\ud800'.repeat(20))`, python: `print('\\ud800' * 20)` },
          ['\ufffd'.repeat(20)],
        ],
        [
          '21 replacements do not fit',
          { typescript: `console.log('\\ud800'.repeat(21))`, python: `print('\\ud800' * 21)` },
          [M64],
        ],
        ['an astral character costs four', writing(['😀'.repeat(15)]), ['😀'.repeat(15)]],
        ['16 do not fit', writing(['😀'.repeat(16)]), [M64]],
      ],
      async (program, logs) => expect((await run64(program)).logs).toEqual(logs),
    )

    backend.it(
      'what is kept costs at most the budget, whatever the mix',
      {
        typescript: `let n = 7; for (let i = 0; i < 2000; i++) { n = (n * 48271) % 2147483647; process[n % 2 ? 'stdout' : 'stderr'].write('é"\\n\\t😀x'.repeat(n % 3).slice(0, n % 5)) }`,
      },
      async (program) => {
        const { logs } = await run4096(program)
        const kept = logs.slice(0, -1)
        expect(logs.at(-1)).toBe(M4096)
        expect(kept.reduce((sum, text) => sum + costOf(text), 0)).toBeLessThanOrEqual(4_095)
        expect(kept.length).toBeGreaterThan(10)
      },
    )
  })

  describe('floods', () => {
    backend.each(
      [
        [
          'one character at a time',
          {
            typescript: `for (let i = 0; i < 2e5; i++) process.stdout.write('x')`,
            python: `import sys\nfor _ in range(200000): sys.stdout.write('x')`,
          },
        ],
        ['2 MB without a newline', writing(['x'.repeat(2_000_000)])],
        ['all NUL', writing(['\0'.repeat(4_000)])],
        [
          'illegal bytes',
          {
            typescript: `process.stdout.write(Buffer.alloc(1e6, 0xff))`,
            python: `import os\nos.write(1, b'\\xff' * 1000000)`,
          },
        ],
        [
          '500,000 lines',
          { typescript: `process.stdout.write('line\\n'.repeat(5e5))`, python: `print('line\\n' * 500000)` },
        ],
        [
          '100,000 lines one by one',
          {
            typescript: `for (let i = 0; i < 1e5; i++) console.log('line', i)`,
            python: `for i in range(100000): print('line', i)`,
          },
        ],
        [
          '60 MB in one write',
          { typescript: `process.stdout.write('x'.repeat(6e7) + '\\n')`, python: `print('x' * 60000000)` },
        ],
        ['60 MB of bytes', { typescript: `process.stdout.write(Buffer.alloc(6e7, 120))` }],
        [
          'a pending character before it',
          {
            typescript: `process.stdout.write('p'); process.stdout.write('x'.repeat(6e7))`,
            python: `import sys\nsys.stdout.write('p')\nsys.stdout.write('x' * 60000000)`,
          },
        ],
      ],
      async (program) => {
        const result = await run4096(program)
        expect(result.error).toBeUndefined()
        expect(result.logs.filter((text) => text === M4096)).toHaveLength(1)
        expect(result.logs.at(-1)).toBe(M4096)
        expect(result.logs.slice(0, -1).reduce((sum, text) => sum + costOf(text), 0)).toBeLessThanOrEqual(4_095)
        expect(result.usage.bytesIn).toBeLessThan(2_000_000)
      },
    )

    backend.it(
      'a million empty writes cost nothing',
      {
        typescript: `for (let i = 0; i < 1e6; i++) process.stdout.write(''); console.log('end')`,
        python: `import sys\nfor _ in range(1000000): sys.stdout.write('')\nprint('end')`,
      },
      async (program) => {
        const result = await run64(program)
        expect(result.logs).toEqual(['end'])
        expect(result.usage.bytesIn).toBeLessThan(1_000)
      },
    )
  })
})
