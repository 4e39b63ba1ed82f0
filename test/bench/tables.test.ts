import { expect, it } from 'vitest'
import { createReport } from '../../bench/report.mjs'
import { withFigures } from '../../bench/tables.mjs'

const marks = ['<!-- figures: written by `npm run bench -- --markdown` -->', '<!-- end of figures -->']
const machine = { cpu: 'cpu', cores: 2, kernel: 'Linux 6', node: 'v20', python: ['3.12.1'], loadAverage: 0 }

const results = () => {
  const { group, describe, rows, skipped, rivals } = createReport()
  const start = group('start')
  start.add({ name: 'cold | warm', samples: [4], floor: { name: 'bare', samples: [2] } })
  start.skip('fork server', 'refused')
  describe({ name: 'rival 1.0', lacks: ['no Python', 'no logs'] })
  return { date: '2026-01-02T03:04:05Z', machine, rows, skipped, rivals }
}

it('the tables replace what stood between the marks', () => {
  const [before, after] = withFigures(`# Page\n${marks.join('\nold\n')}\nrest\n`, results()).split(marks[0] ?? '')
  expect(before).toBe('# Page\n')
  expect(after?.split('\n').filter((line) => line !== '')).toEqual([
    'Measured on 2026-01-02: cpu, 2 cores, Linux 6, Node v20, CPython 3.12.1; load average 0 at the start.',
    '### Start',
    '| figure | median | p95 | n | floor or rival | its median | ratio |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    '| cold \\| warm | 4 ms | 4 ms | 1 | bare | 2 ms | 2 |',
    '### What the rivals do not do',
    '- **rival 1.0**: no Python; no logs.',
    '### Skipped',
    '- start: fork server: refused',
    marks[1],
    'rest',
  ])
})

it('a page without marks is refused', () => {
  expect(() => withFigures('# Page\n', results())).toThrow('Expected the page to hold')
})
