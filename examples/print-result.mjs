import { styleText } from 'node:util'

const title = (text) => console.log(`\n${styleText('bold', text)}`)
const indent = (text) => text.replace(/^/gm, '    ')

/** Prints what a person wants to see of one run. */
export const printResult = (name, program, { value, logs, error, calls, usage }) => {
  title(`── ${name} ${'─'.repeat(Math.max(0, 70 - name.length))}`)
  console.log(styleText('dim', indent(program.trim())))
  title('logs')
  console.log(indent(logs.length === 0 ? '(none)' : logs.join('\n')))
  title(error === undefined ? 'value' : `failed: ${error.kind}`)
  console.log(indent(error === undefined ? JSON.stringify(value, null, 2) : error.message))
  title('calls')
  console.log(indent(calls.length === 0 ? '(none)' : callTable(calls)))
  title('usage')
  console.log(
    indent(
      Object.entries(usage)
        .map(([key, amount]) => `${key} ${round(amount)}`)
        .join('   '),
    ),
  )
}

const callTable = (calls) => {
  const rows = calls.map(({ id, global, name, state, startMs, durationMs, argsBytes, replyBytes }) =>
    [id, `${global}.${name}`, state, round(startMs), round(durationMs), argsBytes, replyBytes ?? '-'].map(String),
  )
  const table = [['id', 'call', 'state', 'start ms', 'took ms', 'args B', 'reply B'], ...rows]
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)))
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const round = (amount) => (typeof amount === 'number' ? Math.round(amount * 10) / 10 : '-')
