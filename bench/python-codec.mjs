import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createCodeRuntime } from './code-runtime.mjs'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

/** The guest's codec beside `json` of the same interpreter, and what a guest has mapped when its program starts. */
export const measure = async (context) => {
  for (const python of context.pythons) {
    await measureCodec(context, python)
    await measureMemory(context, python)
  }
}

/** Wide and long values take the native path. */
const NATIVE = ['1e6 integers', '50k rows', '16 MB string']
const NATIVE_TARGET = { of: 'ratio', atMost: 1.5 }
const MAPPED_TARGET = { of: 'median', atMost: (48 * 1024 * 1024) / 1e6 }

const measureCodec = async ({ report, quick }, { label, path: interpreter }) => {
  const group = report.group(`codecs, ${label}`)
  const args = ['-I', '-B', path('python-codec.py'), path('../py'), quick ? '1' : '9']
  const { stdout } = await promisify(execFile)(interpreter, args)
  for (const { what, name, ms, floorMs } of JSON.parse(stdout)) {
    const floorName = `json.${what === 'encode' ? 'dumps' : 'loads'}`
    const floor = floorMs === null ? undefined : { name: floorName, samples: [floorMs] }
    const figure = `${what} ${name}${floorMs === null ? ` (${floorName} refuses)` : ''}`
    group.add({ name: figure, samples: [ms], floor, target: NATIVE.includes(name) ? NATIVE_TARGET : undefined })
  }
}

const STATUS = `
with open('/proc/self/status') as file:
  fields = dict(line.split(':', 1) for line in file)
sizes = [int(fields[name].split()[0]) * 1024 / 1e6 for name in ('VmSize', 'VmRSS')]`

const measureMemory = async ({ report, quick }, { label, path: interpreter }) => {
  const group = report.group(`memory of a guest, ${label}`)
  if (process.platform !== 'linux') return group.skip('all', 'not on Linux')
  const bare = async () =>
    JSON.parse((await promisify(execFile)(interpreter, ['-I', '-B', '-u', '-c', `${STATUS}\nprint(sizes)`])).stdout)
  const runtime = await createCodeRuntime({ language: 'python', pythonBin: interpreter, warm: 0 })
  const guest = async () => (await runtime.run({ program: `${STATUS}\nreturn sizes` })).value
  const turns = []
  for (let round = 0; round < (quick ? 1 : 9); round += 1) turns.push([await guest(), await bare()])
  await runtime.dispose()
  for (const [index, name] of ['mapped', 'resident'].entries()) {
    const [samples, floor] = [0, 1].map((side) => turns.map((turn) => turn[side][index]))
    group.add({
      name: `${name} at its start`,
      unit: 'MB',
      samples,
      floor: { name: 'python -I -B -u', samples: floor },
      target: name === 'mapped' ? MAPPED_TARGET : undefined,
    })
  }
}
