import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { type ConformanceMatrix, countOutcomes, runConformance } from '../testing/conformance/matrix.js'
import { RENDER_FORMATS, type RenderFormat, render } from '../testing/conformance/render/render.js'
import { loadBackend } from './load-backend.js'
import { OWN_BACKENDS, type OwnBackend } from './own-backends.js'
import { UsageError } from './usage-error.js'

export const CONFORMANCE_USAGE = `code-runtime conformance [options]

  --launcher FILE     a backend of your own: the module's default export is a launcher, a function that makes one,
                      or { create, language, capabilities, accepts, programs }
  --language NAME     the backends of this package for 'typescript' or 'python'; by default both
  --section RULE      only these chapters or rules, '6' or '6.1'; may be given several times
  --case ID           only the cases with this id; may be given several times
  --format FORMAT     ${RENDER_FORMATS.join(', ')}; by default text
  --out FILE          writes there instead of to standard output`

const OPTIONS = {
  launcher: { type: 'string' },
  language: { type: 'string' },
  section: { type: 'string', multiple: true },
  case: { type: 'string', multiple: true },
  format: { type: 'string', default: 'text' },
  out: { type: 'string' },
} as const

/** Prints the matrix; resolves with the exit code. */
export const runConformanceCommand = async (args: readonly string[]): Promise<number> => {
  const { values } = parseArguments(args)
  const format = requireFormat(values.format)
  const selection = { ...(values.section && { sections: values.section }), ...(values.case && { ids: values.case }) }
  const matrices: ConformanceMatrix[] = []
  for (const { name, backend } of await chosenBackends(values)) {
    matrices.push(await runConformance(name, backend, { ...selection, onResult: reportProgress }))
  }
  const results = matrices.flatMap(({ sections }) => sections).flatMap((section) => section.results)
  if (results.length === 0) throw new UsageError('no case was chosen')
  await write(render(matrices, format), values.out)
  return countOutcomes(results).failed === 0 ? 0 : 1
}

const parseArguments = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, strict: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

const requireFormat = (format: string): RenderFormat => {
  const known = RENDER_FORMATS.find((name) => name === format)
  if (known === undefined) throw new UsageError(`--format is one of ${RENDER_FORMATS.join(', ')}`)
  return known
}

const chosenBackends = async (values: {
  launcher?: string | undefined
  language?: string | undefined
}): Promise<readonly Pick<OwnBackend, 'name' | 'backend'>[]> => {
  const { launcher, language } = values
  if (launcher !== undefined) return [{ name: basename(launcher), backend: await loadBackend(launcher) }]
  const chosen = OWN_BACKENDS.filter(
    ({ backend, isAvailable }) => isAvailable && (language === undefined || backend.language === language),
  )
  if (chosen.length === 0) throw new UsageError(`there is no backend for the language ${language}`)
  return chosen
}

const reportProgress = ({ id, outcome, reason }: { id: string; outcome: string; reason?: string }): void => {
  if (outcome === 'failed') process.stderr.write(`failed: ${id}\n  ${reason?.replaceAll('\n', '\n  ')}\n`)
}

const write = async (text: string, out: string | undefined): Promise<void> => {
  if (out === undefined) process.stdout.write(text)
  else await writeFile(out, text)
}
