import type { ConformanceMatrix } from '../matrix.js'
import { failuresOf, outcomeRows, reasonCounts } from './table.js'

export const renderText = (matrices: readonly ConformanceMatrix[]): string =>
  [
    ...aligned(outcomeRows(matrices)),
    ...matrices.flatMap((matrix) => [
      '',
      ...failuresOf(matrix).map(({ id, reason = '' }) => `failed (${matrix.backend}): ${id}\n  ${firstLine(reason)}`),
      ...reasonCounts(matrix).map(([reason, count]) => `not applicable (${matrix.backend}): ${count} ${reason}`),
    ]),
    '',
  ].join('\n')

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? ''

const aligned = (rows: readonly string[][]): string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
