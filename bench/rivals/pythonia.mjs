import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const text = {
  call: (n) => `give(${n})`,
  result: (expression) => `return ${expression}`,
}

const moduleOf = (program) => `def main(give):\n${program.replaceAll(/^/gm, '    ')}\n`

export const rival = {
  package: 'pythonia',
  language: 'python',
  lacks: [
    'a bridge to objects of one Python process, no runtime of programs: in these rows a module with a function main',
    'no top-level await or return, no asyncio: a callback blocks the thread that called it',
    'no fresh process: after its exit() the next program never answered',
    'no limits, and a program can end or change the bridge',
    'output goes to the host; no account',
  ],
  cannot: { '100 host calls at once': 'its callbacks are synchronous in Python' },
  modes: [{ name: 'one process: state leaks', start: startBridge }],
}

async function startBridge({ python }) {
  process.env['PYTHON_BIN'] = python
  const { python: load } = await import('pythonia')
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  let modules = 0
  return {
    run: async (job) => {
      modules += 1
      const path = join(folder, `job${modules}.py`)
      await writeFile(path, moduleOf(job.python(text)))
      const module = await load(path)
      return module.main(async (n) => n)
    },
    stop: async () => {
      load.exit()
      await rm(folder, { recursive: true })
    },
  }
}
