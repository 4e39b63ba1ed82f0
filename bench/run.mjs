import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { buildIfStale } from '../scripts/build-if-stale.mjs'
import { FAMILIES } from './families.mjs'
import { describeMachine, probePython } from './machine.mjs'
import { readOptions, USAGE } from './options.mjs'
import { createReport } from './report.mjs'
import { printTables, writePage } from './tables.mjs'

/** Where Debian's packages put numpy. */
const DEBIAN_PYTHON = '/usr/bin/python3'

const options = readOptionsOrEnd()
buildIfStale()
const report = createReport((line) => console.error(line))
const pythons = findPythons()
const context = { ...options, report, pythons, numpyPython: findNumpy(), cores: availableParallelism() }
const machine = describeMachine([...pythons, context.numpyPython].filter((python) => python !== undefined))
for (const family of options.families) await measureFamily(family)
await present()

function readOptionsOrEnd() {
  try {
    const read = readOptions(process.argv.slice(2))
    if (!read.help) return read
    console.log(USAGE)
    process.exit(0)
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`)
    process.exit(2)
  }
}

/** What one family cannot measure hides nothing of the others. */
async function measureFamily(family) {
  try {
    const { measure } = await FAMILIES[family]()
    await measure(context)
  } catch (error) {
    report.group(family).skip('the rest', `it failed: ${error.message}`)
    process.exitCode = 1
  }
}

function findPythons() {
  return options.pythons.flatMap((path) => {
    const python = probePython(path)
    if (python === undefined) report.group('Python').skip(path, 'no interpreter there')
    return python ?? []
  })
}

function findNumpy() {
  return [...pythons, probePython(DEBIAN_PYTHON)].find((python) => python?.hasNumpy)
}

async function present() {
  const { rows, skipped, rivals } = report
  const results = { date: new Date().toISOString(), machine, rows, skipped, rivals }
  printTables(results)
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(results, null, 2)}\n`)
  if (options.markdown !== undefined) await writePage(options.markdown, results)
}
