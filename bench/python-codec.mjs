import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { createCodeRuntime } from 'code-runtime'
import { summary } from './stats.mjs'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))
const interpreterOf = (bin) =>
  spawnSync(bin, ['-I', '-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).stdout?.trim()

/** Encoding and decoding by the guest's codec, beside the `json` of the same interpreter. */
export const measurePythonCodec = async (report, { python = 'python3', rounds = 9 } = {}) => {
  const interpreter = interpreterOf(python)
  if (!interpreter) return console.log(`${python}: not found, skipped`)
  const args = ['-I', '-B', path('python-codec.py'), path('../py'), String(rounds)]
  const { stdout } = await promisify(execFile)(interpreter, args)
  for (const { what, name, ms, floorMs } of JSON.parse(stdout)) {
    const floor = `json.${what === 'encode' ? 'dumps' : 'loads'}`
    report(`Python ${what} ${name}`, ms, floorMs === null ? `${floor} refuses: RecursionError` : floor, floorMs ?? NaN)
  }
}

const STATUS = `
with open('/proc/self/status') as file:
  fields = dict(line.split(':', 1) for line in file)
sizes = [int(fields[name].split()[0]) / 1024 for name in ('VmSize', 'VmRSS')]`

/** What a guest has mapped and resident when its program starts, in MiB, beside the interpreter alone. */
export const measurePythonMemory = async (report, { python = 'python3', rounds = 9 } = {}) => {
  const interpreter = interpreterOf(python)
  if (process.platform !== 'linux' || !interpreter) return console.log('memory of a Python guest: not here, skipped')
  const bare = async () =>
    JSON.parse((await promisify(execFile)(interpreter, ['-I', '-B', '-u', '-c', `${STATUS}\nprint(sizes)`])).stdout)
  const runtime = await createCodeRuntime({ language: 'python', pythonBin: interpreter, warm: 0 })
  const guest = async () => (await runtime.run({ program: `${STATUS}\nreturn sizes` })).value
  const turns = []
  for (let round = 0; round < rounds; round += 1) turns.push([await guest(), await bare()])
  await runtime.dispose()
  for (const [index, name] of ['mapped', 'resident'].entries()) {
    const [ours, floor] = [0, 1].map((side) => summary(turns.map((turn) => turn[side][index])).medianMs)
    report(`Python guest at its start, MiB ${name}`, ours, 'python -I -B -u', floor)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = []
  const round = (amount) => (Number.isFinite(amount) ? Number(amount.toFixed(2)) : '')
  const report = (figure, ms, floor, floorMs) =>
    rows.push({ figure, value: round(ms), floor, 'floor value': round(floorMs), ratio: round(ms / floorMs) })
  const python = process.argv[2]
  await measurePythonCodec(report, { python })
  await measurePythonMemory(report, { python })
  console.table(rows)
}
