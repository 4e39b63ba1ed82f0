import { summarize } from './measure.mjs'

const KEYS = { ms: 'Ms', MB: 'Mb', count: 'Count' }

/** A row of a figure `{ name, samples }` beside its floor or rival, another one that was measured in the same run. */
export const toRow = (group, { name, samples, unit = 'ms', floor, perSecond, ratio, target }) => {
  const key = KEYS[unit]
  const { median, p95, n } = summarize(samples)
  const row = { group, name, unit, [`median${key}`]: round(median), [`p95${key}`]: round(p95), n }
  if (perSecond !== undefined) row.perSecond = round(perSecond)
  if (floor !== undefined) {
    const floorMedian = summarize(floor.samples).median
    row.floor = { name: floor.name, [`median${key}`]: round(floorMedian) }
    if (floor.perSecond !== undefined) row.floor.perSecond = round(floor.perSecond)
    if (floorMedian > 0) row.ratio = round(ratio ?? median / floorMedian)
  }
  if (target !== undefined) Object.assign(row, { target, met: isMet(target, { ratio: row.ratio, median }) })
  return row
}

/** A target bounds the ratio or the median: `{ of: 'ratio', atMost: 1.5 }`. */
const isMet = ({ of, atMost }, amounts) => amounts[of] <= atMost

const round = (amount) => (Number.isFinite(amount) ? Number(amount.toPrecision(4)) : null)

/** The median, the p95 and the floor's median of a row, whatever its unit. */
export const figuresOf = (row) => {
  const key = KEYS[row.unit]
  return { median: row[`median${key}`], p95: row[`p95${key}`], floor: row.floor?.[`median${key}`] }
}

/** A row in one line. */
export const describeRow = (row) => {
  const { median, floor } = figuresOf(row)
  const rate = row.perSecond === undefined ? '' : `, ${row.perSecond}/s`
  const beside = row.floor === undefined ? '' : `, ${row.ratio ?? '-'} x ${row.floor.name} (${floor})`
  return `${row.name}: ${median} ${row.unit}${rate}${beside}`
}
