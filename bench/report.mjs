import { describeRow, toRow } from './row.mjs'

/**
 * Collects rows, what was skipped, and what is said of rivals.
 * @param {(line: string) => void} onLine hears each row as it comes
 */
export const createReport = (onLine = () => {}) => {
  const report = { rows: [], skipped: [], rivals: [] }
  const takeRow = (row) => {
    report.rows.push(row)
    onLine(`${row.group}: ${describeRow(row)}`)
  }
  const takeSkipped = (skipped) => {
    report.skipped.push(skipped)
    onLine(`${skipped.group}: ${skipped.name}: SKIPPED, ${skipped.reason}`)
  }
  return {
    ...report,
    group: (group) => ({
      add: (figure) => takeRow(toRow(group, figure)),
      skip: (name, reason) => takeSkipped({ group, name, reason }),
    }),
    /** Takes over what another process reported. */
    merge: ({ rows, skipped }) => {
      rows.forEach(takeRow)
      skipped.forEach(takeSkipped)
    },
    /** A rival that was measured, and what it does not do. */
    describe: (rival) => report.rivals.push(rival),
  }
}
