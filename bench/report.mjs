import { summarize } from './measure.mjs'

const KEYS = { ms: 'Ms', MB: 'Mb', count: 'Count' }

/**
 * Collects rows. A figure is `{ name, samples }`; its floor or rival, measured in the same run, is another one.
 * @param {(line: string) => void} onLine hears each row as it comes
 */
export const createReport = (onLine = () => {}) => {
  const rows = []
  const skipped = []
  const rivals = []
  return {
    rows,
    skipped,
    rivals,
    /** Takes over what another process reported. */
    merge: (other) => {
      rows.push(...other.rows)
      skipped.push(...other.skipped)
      for (const row of other.rows) onLine(`${row.group}: ${describe(row)}`)
      for (const { group, name, reason } of other.skipped) onLine(`${group}: ${name}: SKIPPED, ${reason}`)
    },
    /** A rival that was measured, and what it does not do. */
    describe: (rival) => rivals.push(rival),
    group: (group) => ({
      add: (figure) => {
        const row = toRow(group, figure)
        rows.push(row)
        onLine(`${group}: ${describe(row)}`)
      },
      skip: (name, reason) => {
        skipped.push({ group, name, reason })
        onLine(`${group}: ${name}: SKIPPED, ${reason}`)
      },
    }),
  }
}

const toRow = (group, { name, samples, unit = 'ms', floor, perSecond, ratio, target, note }) => {
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
  if (note !== undefined) row.note = note
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

const describe = (row) => {
  const { median, floor } = figuresOf(row)
  const rate = row.perSecond === undefined ? '' : `, ${row.perSecond}/s`
  const beside = row.floor === undefined ? '' : `, ${row.ratio ?? '-'} x ${row.floor.name} (${floor})`
  return `${row.name}: ${median} ${row.unit}${rate}${beside}`
}
