import { describe, expect, it } from 'vitest'
import { createReport } from '../../bench/report.mjs'

const samples = Array.from({ length: 100 }, (_, index) => index + 1)

describe('a row of the benchmark', () => {
  it('holds median, p95, count, the floor and the ratio', () => {
    const report = createReport()
    report.group('calls').add({ name: 'round trip', samples, floor: { name: 'bare echo', samples: [10, 17, 30] } })
    expect(report.rows).toEqual([
      {
        group: 'calls',
        name: 'round trip',
        unit: 'ms',
        medianMs: 51,
        p95Ms: 96,
        n: 100,
        floor: { name: 'bare echo', medianMs: 17 },
        ratio: 3,
      },
    ])
  })

  it.each([
    [{ of: 'ratio', atMost: 3 }, true],
    [{ of: 'ratio', atMost: 2.9 }, false],
    [{ of: 'median', atMost: 51 }, true],
    [{ of: 'median', atMost: 50 }, false],
  ])('says whether the target %j is met: %s', (target, met) => {
    const report = createReport()
    report.group('calls').add({ name: 'round trip', samples, target, floor: { name: 'bare echo', samples: [17] } })
    expect(report.rows).toMatchObject([{ target, met }])
  })

  it('names its unit in its keys', () => {
    const report = createReport()
    report.group('memory').add({ name: 'guest', samples: [9.5], unit: 'MB' })
    expect(report.rows).toEqual([{ group: 'memory', name: 'guest', unit: 'MB', medianMb: 9.5, p95Mb: 9.5, n: 1 }])
  })

  it('has no ratio beside a floor of nothing', () => {
    const report = createReport()
    report.group('memory').add({ name: 'growth', samples: [1], unit: 'count', floor: { name: 'bare', samples: [0] } })
    expect(report.rows[0]).not.toHaveProperty('ratio')
  })

  it('keeps what was skipped, with its reason', () => {
    const lines: string[] = []
    const report = createReport((line) => lines.push(line))
    report.group('rivals').skip('pyodide', 'it did not install here')
    expect(report.skipped).toEqual([{ group: 'rivals', name: 'pyodide', reason: 'it did not install here' }])
    expect(lines).toEqual(['rivals: pyodide: SKIPPED, it did not install here'])
  })
})
