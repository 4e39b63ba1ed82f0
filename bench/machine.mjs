import { spawnSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg, release, type } from 'node:os'

/** What the figures were measured on. */
export const describeMachine = (pythons) => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: availableParallelism(),
  kernel: `${type()} ${release()}`,
  node: process.version,
  python: [...new Set(pythons.map(({ version }) => version))],
  loadAverage: Number(loadavg()[0].toFixed(2)),
})

const PROBE = `
import sys, importlib.util
print(sys.executable, "%d.%d.%d" % sys.version_info[:3], importlib.util.find_spec("numpy") is not None, sep="\\n")`

/** The interpreter behind a name or path (no shim), or undefined where there is none. */
export const probePython = (path) => {
  const { stdout, status } = spawnSync(path, ['-I', '-c', PROBE], { encoding: 'utf8' })
  if (status !== 0) return undefined
  const [executable, version, hasNumpy] = stdout.trim().split('\n')
  return { path: executable, version, label: `Python ${version}`, hasNumpy: hasNumpy === 'True' }
}
