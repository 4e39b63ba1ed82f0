import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PythonShell } from 'python-shell'

const PREAMBLE = `import json, sys
def give(n):
    print(json.dumps({"call": n}), flush=True)
    return json.loads(sys.stdin.readline())
`

const text = {
  call: (n) => `give(${n})`,
  result: (expression) => `print(json.dumps({"value": ${expression}}), flush=True)`,
}

const runScript = (path, python) =>
  new Promise((resolve, reject) => {
    let value
    const shell = new PythonShell(path, { mode: 'json', pythonPath: python })
    shell.on('message', async (message) => {
      if ('value' in message) value = message.value
      else shell.send(await message.call)
    })
    shell.on('close', () => resolve(value))
    for (const event of ['error', 'pythonError']) shell.on(event, reject)
  })

export const rival = {
  package: 'python-shell',
  language: 'python',
  lacks: [
    'no host calls: in these rows lines over stdin and stdout, by hand, one at a time',
    'no top-level await or return: a value is a printed line',
    'no limits of its own, and what the program starts is left behind',
    'values and logs share one stream; no account',
  ],
  cannot: { '100 host calls at once': 'it has no calls; one line at a time by hand' },
  modes: [
    {
      name: 'a fresh process',
      start: async ({ python }) => {
        const folder = await mkdtemp(join(tmpdir(), 'bench-'))
        let scripts = 0
        return {
          run: async (job) => {
            scripts += 1
            const path = join(folder, `${scripts}.py`)
            await writeFile(path, PREAMBLE + job.python(text))
            return runScript(path, python)
          },
          stop: () => rm(folder, { recursive: true }),
        }
      },
    },
  ],
}
