import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCodeRuntime } from 'code-runtime'
import { printResult } from './print-result.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What the host lets a program do: look at the source files of this repository. */
const repository = {
  global: 'repo',
  errorClass: { name: 'RepoError', memberNameProperty: 'member' },
  functions: {
    async list({ folder }) {
      const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    },
    async read({ path }) {
      return readFile(join(root, path), 'utf8')
    },
    async size({ path }) {
      return (await stat(join(root, path))).size
    },
  },
}

const program = `
interface FileFacts { path: string; lines: number; bytes: number }

const paths: string[] = await repo.list({ folder: 'src/domain' })
console.log('looking at', paths.length, 'files')

async function facts(path: string): Promise<FileFacts> {
  const [text, bytes] = await Promise.all([repo.read({ path }), repo.size({ path })])
  return { path, lines: text.split('\\n').length, bytes }
}

const all = await Promise.all(paths.slice(0, 6).map(facts))
all.sort((a, b) => b.lines - a.lines)
for (const { path, lines } of all) console.log(String(lines).padStart(5), path)

try {
  await repo.read({ path: 'no/such/file' })
} catch (error) {
  if (error instanceof RepoError) console.warn('caught', error.name, 'of', error.member + ':', error.message.split(',')[0])
}
return { files: all.length, largest: all[0], bytes: all.reduce((sum, file) => sum + file.bytes, 0) }
`

const failing = `
type Report = { total: number }

const report: Report = await repo.summary({ folder: 'src' })
return report.total
`

const pythonProgram = `
import asyncio
from dataclasses import dataclass

@dataclass
class FileFacts:
    path: str
    lines: int
    size: int

async def facts(path):
    text, size = await asyncio.gather(repo.read(path=path), repo.size(path=path))
    return FileFacts(path, len(text.splitlines()), size)

paths = await repo.list(folder="py/agent")
print("looking at", len(paths), "files")
files = await asyncio.gather(*map(facts, sorted(paths)[:6]))
for file in sorted(files, key=lambda file: -file.lines):
    print(f"{file.lines:5} {file.path}")

try:
    await repo.read(path="no/such/file")
except RepoError as error:
    print("caught", type(error).__name__, "of", error.member + ":", str(error).split(",")[0])
return {"files": len(files), "bytes": sum(file.size for file in files)}
`

const failingPython = `
def total(report):
    return sum(row["bytes"] for row in report)

report = await repo.list(folder="docs")
return total(report)
`

const runBoth = async (language, [title, program], [failingTitle, failing]) => {
  const runtime = await createCodeRuntime({ language, limits: { maxWallMs: 20_000 } })
  try {
    printResult(title, program, await runtime.run({ program, bindings: [repository] }))
    printResult(failingTitle, failing, await runtime.run({ program: failing, bindings: [repository] }))
  } finally {
    await runtime.dispose()
  }
}

await runBoth('typescript', ['A TypeScript program', program], ['A TypeScript program that fails', failing])
await runBoth('python', ['A Python program', pythonProgram], ['A Python program that fails', failingPython])
