import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineSplitter } from '../../src/domain/line-splitter.js'

const split = (chunks: readonly Buffer[], capBytes = 1 << 20): { lines: string[]; overflows: number } => {
  const lines: string[] = []
  let overflows = 0
  const splitter = new LineSplitter(capBytes, {
    line: (bytes) => lines.push(bytes.toString('latin1')),
    overflow: () => {
      overflows += 1
    },
  })
  for (const chunk of chunks) splitter.push(chunk)
  return { lines, overflows }
}

const cut = (bytes: Buffer, sizes: readonly number[]): Buffer[] => {
  const chunks: Buffer[] = []
  let start = 0
  for (const size of sizes) {
    chunks.push(bytes.subarray(start, start + size))
    start += size
  }
  return [...chunks, bytes.subarray(start)]
}

const text = fc
  .array(fc.oneof(fc.string({ maxLength: 40 }), fc.string({ minLength: 1_000, maxLength: 3_000 }), fc.constant('\n')))
  .map((parts) => Buffer.from(parts.join('\n'), 'latin1'))

describe('LineSplitter', () => {
  it('any chunking of the same bytes gives the same lines', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat({ max: 2_500 })), (bytes, sizes) => {
        const ended = bytes.toString('latin1').split('\n').slice(0, -1)
        expect(split(cut(bytes, sizes)).lines).toEqual(ended.filter((line) => line !== ''))
      }),
    )
  })

  it('what has no newline yet is no line', () => {
    expect(split([Buffer.from('a\nb')]).lines).toEqual(['a'])
  })

  it.each([
    ['at once', [64]],
    ['in halves', [32, 32]],
    ['byte by byte', Array.from({ length: 64 }, () => 1)],
  ])('a line of exactly the cap passes, one byte more does not (%s)', (_name, sizes) => {
    const exact = Buffer.from(`${'x'.repeat(64)}\n`)
    const over = Buffer.from(`${'x'.repeat(65)}\nnext\n`)
    expect(split(cut(exact, sizes), 64)).toEqual({ lines: ['x'.repeat(64)], overflows: 0 })
    expect(split(cut(over, sizes), 64)).toEqual({ lines: [], overflows: 1 })
  })

  it('the cap is for one line, not for the buffer', () => {
    const lines = Array.from({ length: 50 }, (_, index) => `line ${index}`)
    expect(split([Buffer.from(`${lines.join('\n')}\n`)], 16)).toEqual({ lines, overflows: 0 })
  })

  it('an unterminated line over the cap overflows before its newline comes, once', () => {
    expect(split([Buffer.alloc(40, 'x'), Buffer.alloc(40, 'x'), Buffer.from('\nlater\n')], 64)).toEqual({
      lines: [],
      overflows: 1,
    })
  })
})
