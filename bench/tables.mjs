import { readFile, writeFile } from 'node:fs/promises'
import { grouped } from './grouped.mjs'
import { figuresOf } from './row.mjs'

const START = '<!-- figures: written by `npm run bench -- --markdown` -->'
const END = '<!-- end of figures -->'

/** All rows on the console, a table for each group. */
export const printTables = ({ rows, skipped, rivals }) => {
  for (const [group, groupRows] of grouped(rows, ({ group }) => group)) {
    console.log(`\n${group}`)
    console.table(groupRows.map(cellsOf))
  }
  for (const { name, lacks } of rivals) console.log(`${name}: ${lacks.join('; ')}`)
  for (const { group, name, reason } of skipped) console.log(`skipped: ${group}: ${name}: ${reason}`)
}

/** Replaces what stands between the marks of a page by the tables. */
export const writePage = async (path, results) => {
  const page = await readFile(path, 'utf8')
  await writeFile(path, withFigures(page, results))
}

export const withFigures = (page, results) => {
  const [before, rest] = page.split(START)
  const after = rest?.split(END)[1]
  if (after === undefined) throw new Error(`Expected the page to hold \`${START}\` and \`${END}\``)
  return `${before}${START}\n\n${markdownOf(results)}\n${END}${after}`
}

const markdownOf = ({ date, machine, rows, skipped, rivals }) => {
  const parts = [
    `Measured on ${date.slice(0, 10)}: ${machine.cpu}, ${machine.cores} cores, ${machine.kernel}, Node ${machine.node}, ` +
      `CPython ${machine.python.join(' and ')}; load average ${machine.loadAverage} at the start.\n`,
  ]
  for (const [group, groupRows] of grouped(rows, ({ group }) => group))
    parts.push(`### ${capital(group)}\n\n${tableOf(groupRows)}`)
  if (rivals.length > 0) parts.push(`### What the rivals do not do\n\n${rivals.map(lacksItem).join('')}`)
  if (skipped.length > 0) parts.push(`### Skipped\n\n${skippedList(skipped)}`)
  return parts.join('\n')
}

const lacksItem = ({ name, lacks }) => `- **${name}**: ${lacks.join('; ')}.\n`

const skippedList = (skipped) =>
  skipped.map(({ group, name, reason }) => `- ${group}: ${name}: ${cellText(reason)}\n`).join('')

const tableOf = (rows) => {
  const cells = rows.map(cellsOf)
  const columns = [...new Set(cells.flatMap(Object.keys))]
  const lines = [columns, columns.map(() => '---'), ...cells.map((cell) => columns.map((name) => cell[name] ?? ''))]
  return lines.map((line) => `| ${line.map((text) => cellText(String(text))).join(' | ')} |\n`).join('')
}

const cellText = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')

const cellsOf = (row) => {
  const { median, p95, floor } = figuresOf(row)
  const withUnit = (amount) => (row.unit === 'count' ? `${amount}` : `${amount} ${row.unit}`)
  return {
    figure: row.name,
    median: withUnit(median),
    p95: withUnit(p95),
    ...(row.perSecond !== undefined && { 'per second': row.perSecond }),
    n: row.n,
    ...(row.floor && { 'floor or rival': row.floor.name, 'its median': withUnit(floor) }),
    ...(row.floor?.perSecond !== undefined && { 'its per second': row.floor.perSecond }),
    ...(row.ratio !== undefined && { ratio: row.ratio }),
    ...(row.target !== undefined && {
      target: `${row.target.of} <= ${row.target.atMost}: ${row.met ? 'met' : 'MISSED'}`,
    }),
  }
}

const capital = (text) => text[0].toUpperCase() + text.slice(1)
