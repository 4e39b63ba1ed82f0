import { describe, expect, it } from 'vitest'
import { forging } from '../support/runtimes.js'
import { onEveryBackend, type Programs } from './backends.js'

const SUFFIX = '… [truncated]'

/** `text` repeated, as an expression of each language. */
const repeated = (
  text: string,
  count: number,
  wrap: { typescript: (text: string) => string; python: (text: string) => string },
): Programs => ({
  typescript: wrap.typescript(`${JSON.stringify(text)}.repeat(${count})`),
  python: wrap.python(`${JSON.stringify(text)} * ${count}`),
})
const returned = (text: string, count: number): Programs =>
  repeated(text, count, { typescript: (value) => `return ${value}`, python: (value) => `return ${value}` })
const raised = (text: string, count: number): Programs =>
  repeated(text, count, { typescript: (value) => `throw ${value}`, python: (value) => `raise ValueError(${value})` })

onEveryBackend((backend) => {
  const run64 = backend.use({ maxValueBytes: 64 })
  const run40 = backend.use({ maxValueBytes: 40 })
  const run4 = backend.use({ maxValueBytes: 4 })
  const runMore = backend.use({ maxValueBytes: 18_000_002, maxWallMs: 20_000 })

  describe('a completion', () => {
    backend.each<[number | 'output-limit']>(
      [
        ['of exactly the budget is fine', returned('x', 62), 62],
        ['of one byte more is output-limit', returned('x', 63), 'output-limit'],
        ['of two-byte characters', returned('é', 31), 31],
        ['of two-byte characters, one more', returned('é', 32), 'output-limit'],
        ['of NULs, six bytes each', returned('\0', 10), 10],
        ['of NULs, one more', returned('\0', 11), 'output-limit'],
        ['of astral characters', returned('😀', 15), 30],
        ['of astral characters, one more', returned('😀', 16), 'output-limit'],
        ['of 31 items', { typescript: 'return Array(31).fill(0)', python: 'return [0] * 31' }, 31],
        ['of 32 items', { typescript: 'return Array(32).fill(0)', python: 'return [0] * 32' }, 'output-limit'],
        [
          'of 2,000,000 items',
          { typescript: 'return Array(2e6).fill(0)', python: 'return [0] * 2000000' },
          'output-limit',
        ],
        [
          'of 1,000,000 members',
          {
            typescript: 'return Object.fromEntries(Array.from({ length: 1e6 }, (_, i) => [i, i]))',
            python: 'return {str(i): i for i in range(1000000)}',
          },
          'output-limit',
        ],
        ['of 60 MB', returned('x', 60_000_000), 'output-limit'],
      ],
      async (program, expected) => {
        const result = await run64(program)
        if (expected === 'output-limit') {
          expect(result.error?.kind).toBe('output-limit')
          expect(result).not.toHaveProperty('value')
        } else expect((result.value as { length: number }).length).toBe(expected)
      },
    )

    backend.each<[boolean]>(
      [
        ['of 3,000,000 lone surrogates fits 18,000,002', returned('\ud800', 3_000_000), true],
        ['of one character more does not', returned('\ud800', 3_000_001), false],
        ['of 16 MB is exact', { typescript: `return ['x'.repeat(16e6)]`, python: `return ['x' * 16000000]` }, true],
      ],
      async (program, fits) => {
        const { error, value } = await runMore(program)
        expect(error?.kind).toBe(fits ? undefined : 'output-limit')
        if (fits) expect(JSON.stringify(value).length).toBeGreaterThan(16_000_000)
      },
    )

    backend.it('the failure names the budget, however small it is', returned('x', 5_000), async (program) => {
      expect((await run64(program)).error?.message).toContain('64')
    })

    backend.it(
      'arguments and replies have no such limit',
      {
        typescript: `const text = await tools.echo('x'.repeat(204800)); return text.length`,
        python: `return len(await tools.echo('x' * 204800))`,
      },
      async (program) => expect((await run64(program, { tools: { echo: (x: unknown) => x } })).value).toBe(204_800),
    )
  })

  describe('a diagnostic', () => {
    const bytesOf = (message = ''): number => Buffer.byteLength(JSON.stringify(message)) - 2

    backend.each(
      [
        ['of 100,000 characters', raised('x', 100_000)],
        ['of NULs', raised('\0', 100_000)],
        ['of astral characters', raised('😀', 1_000)],
        ['of lone surrogates', raised('\ud800', 1_000)],
      ],
      async (program) => {
        const { error } = await run40(program)
        expect(error?.kind).toBe('exception')
        expect(error?.message.endsWith(SUFFIX)).toBe(true)
        expect(bytesOf(error?.message)).toBeLessThanOrEqual(40)
        expect(bytesOf(error?.message)).toBeGreaterThan(40 - 12)
      },
    )

    backend.it('under 15 bytes is the suffix alone', raised('x', 100), async (program) => {
      expect((await run4(program)).error?.message).toBe(SUFFIX)
    })

    backend.it(
      'of a refused completion is cut too',
      { typescript: `return { k: () => 1 }`, python: `return {"k": print}` },
      async (program) => {
        for (const run of [run64, run40]) {
          const { error } = await run(program)
          expect([error?.kind, error?.message.endsWith(SUFFIX)]).toEqual(['invalid-output', true])
        }
      },
    )

    backend.it(
      'of text that does not parse is cut too',
      { typescript: `let = ${'x'.repeat(500)}`, python: `x = = ${'x'.repeat(500)}` },
      async (program) => {
        const { error } = await run40(program)
        expect([error?.kind, bytesOf(error?.message) <= 40]).toEqual(['exception', true])
      },
    )
  })

  describe('the host checks again', () => {
    const forgedDone = (done: object): Programs => ({
      typescript: forging([{ type: 'done', ...done }], 'for (;;) {}'),
      python: `import os, json\nos.write(3, ${JSON.stringify(`${JSON.stringify({ type: 'done', ...done })}\n`)}.encode())\nwhile True: pass`,
    })
    backend.each<[object]>(
      [
        ['a value over the budget', forgedDone({ value: 'x'.repeat(63) }), { error: { kind: 'output-limit' } }],
        ['a value at the budget', forgedDone({ value: 'x'.repeat(62) }), { value: 'x'.repeat(62) }],
        [
          'an error over the budget',
          forgedDone({ error: { kind: 'exception', message: 'm'.repeat(500) } }),
          { error: { kind: 'exception', message: `${'m'.repeat(49)}${SUFFIX}` } },
        ],
        [
          'six characters of three bytes',
          forgedDone({ error: { kind: 'exception', message: '中'.repeat(6) } }),
          { error: { message: '中'.repeat(6) } },
        ],
        [
          'over budget beats lossy',
          { typescript: forging([`{"type":"done","value":[1e400,"${'x'.repeat(100)}"]}`], 'for (;;) {}') },
          { error: { kind: 'output-limit' } },
        ],
        [
          'a number that is no double',
          { typescript: forging(['{"type":"done","value":[1e400]}'], 'for (;;) {}') },
          { error: { kind: 'invalid-output', message: expect.stringContaining('lossless JSON') } },
        ],
        [
          'negative zero',
          { typescript: forging(['{"type":"done","value":-0}'], 'for (;;) {}') },
          { error: { kind: 'invalid-output' } },
        ],
      ],
      async (program, expected) => expect(await run64(program)).toMatchObject(expected),
    )

    it('a cut text does not keep the whole one alive', async () => {
      const program =
        backend.language === 'typescript'
          ? forging(
              [],
              `parentPort.postMessage(JSON.stringify({ type: 'done', error: { kind: 'exception', message: 'm'.repeat(2e7) } })); for (;;) {}`,
            )
          : undefined
      if (program === undefined) return
      const kept = []
      globalThis.gc?.()
      const before = process.memoryUsage().heapUsed
      for (let i = 0; i < 8; i += 1) kept.push((await run64(program)).error?.message)
      globalThis.gc?.()
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 1_048_576)
      expect(kept.map((text) => text?.length)).toEqual(Array(8).fill(49 + SUFFIX.length))
    })
  })
})
