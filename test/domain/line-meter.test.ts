import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AdmittedPiece, LineMeter } from '../../src/domain/line-meter.js'
import { holds } from '../support/property.js'

type Write = readonly [text: string, isOpen: boolean]

const measure = (maxLogBytes: number, writes: readonly Write[]) => {
  const meter = new LineMeter<string>(maxLogBytes)
  const pieces: AdmittedPiece[] = []
  const admitted = writes.map(([text, isOpen]) => meter.add('stdout', text, isOpen, (piece) => pieces.push(piece)))
  return { pieces, admitted, remainingBytes: meter.remainingBytes }
}

test('each newline ends an entry, and the end of a closed text does', () => {
  expect(measure(1_000, [['a\nb', false]]).pieces).toEqual([
    { text: 'a', continues: false, isOpen: false },
    { text: 'b', continues: false, isOpen: false },
  ])
})

test('an open text leaves its last line open, and the next text of the stream continues it', () => {
  const writes: Write[] = [
    ['a\nb', true],
    ['c', true],
    ['\nd', false],
  ]
  expect(measure(1_000, writes).pieces).toEqual([
    { text: 'a', continues: false, isOpen: false },
    { text: 'b', continues: false, isOpen: true },
    { text: 'c', continues: true, isOpen: true },
    { text: '', continues: true, isOpen: false },
    { text: 'd', continues: false, isOpen: false },
  ])
})

test('an empty open text is nothing, a closed one a blank line or the end of an open one', () => {
  expect(measure(1_000, [['', true]])).toEqual({ pieces: [], admitted: [true], remainingBytes: 999 })
  expect(measure(1_000, [['', false]]).pieces).toEqual([{ text: '', continues: false, isOpen: false }])
  expect(measure(1_000, [['a\n', true]]).pieces).toEqual([{ text: 'a', continues: false, isOpen: false }])
})

test('streams have an open line each and one budget', () => {
  const meter = new LineMeter<string>(64)
  const taken: string[] = []
  const take = ({ text, continues }: AdmittedPiece) => taken.push(`${continues ? '+' : ''}${text}`)
  meter.add('stdout', 'out', true, take)
  meter.add('stderr', 'err', true, take)
  meter.add('stdout', 'put', false, take)
  meter.add('stderr', 'or', false, take)
  expect(taken).toEqual(['out', 'err', '+put', '+or'])
  expect(meter.remainingBytes).toBe(63 - (6 + 3) - (5 + 3))
})

test('a piece that is not admitted is not taken, and nothing is after it', () => {
  const { pieces, admitted } = measure(64, [[`ok\n${'x'.repeat(60)}\nlate`, false]])
  expect(pieces.map(({ text }) => text)).toEqual(['ok'])
  expect(admitted).toEqual([false])
})

test.each([
  [
    '30 open and 30 closing',
    [
      ['x'.repeat(30), true],
      ['x'.repeat(30), false],
    ] as Write[],
    [true, true],
  ],
  [
    '30 open and 31 closing',
    [
      ['x'.repeat(30), true],
      ['x'.repeat(31), false],
    ] as Write[],
    [true, false],
  ],
  [
    '60 open, then the end of the line',
    [
      ['x'.repeat(60), true],
      ['', false],
    ] as Write[],
    [true, true],
  ],
])('a merged entry is billed once: %s', (_what, writes, admitted) => {
  expect(measure(64, writes).admitted).toEqual(admitted)
})

test('open writes of one text, however they are split, cost the same and say the same', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', 'é', '"'), maxLength: 30 })
  holds(
    fc.property(fc.array(text, { maxLength: 6 }), (texts) => {
      const whole = measure(10_000, [[texts.join(''), true]])
      const split = measure(
        10_000,
        texts.map((part): Write => [part, true]),
      )
      const lines = (pieces: readonly AdmittedPiece[]) =>
        pieces.map((piece) => (piece.continues ? '' : '|') + piece.text).join('')
      expect(lines(split.pieces)).toBe(lines(whole.pieces))
      expect(split.remainingBytes).toBe(whole.remainingBytes)
    }),
  )
})
