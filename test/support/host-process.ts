import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { threadId } from 'node:worker_threads'
import { build } from 'esbuild'
import { afterAll, beforeAll } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
// In `dist`, so that the package's own `#worker-entry` resolves from there.
const folder = `${root}dist/test-hosts/${process.pid}-${threadId}`

export interface HostEnd {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

export interface HostOptions {
  readonly nodeArgs?: readonly string[]
  readonly env?: Record<string, string>
  readonly cwd?: string
  readonly uid?: number
  /** Written to its standard input, which stays open. */
  readonly stdin?: string
  /** After so long the process is killed, and the end says so. */
  readonly deadlineMs?: number
}

const PRELUDE = (entry: string): string => `
import * as parts from ${JSON.stringify(pathToFileURL(entry).href)}
const { createCodeRuntime } = parts
for (const event of ['uncaughtException', 'unhandledRejection']) {
  process.on(event, (error) => { console.error('HOST', event, error?.message ?? error); process.exitCode = 90 })
}
process.on('warning', (warning) => console.error('HOST warning', warning.name, warning.message))
let lagMs = 0
let lastMs = performance.now()
setInterval(() => { const now = performance.now(); lagMs = Math.max(lagMs, now - lastMs - 10); lastMs = now }, 10).unref()
/** The longest that the event loop did not turn. */
const maxLagMs = () => Math.round(Math.max(lagMs, performance.now() - lastMs - 10))
const TOOLS = { one: () => 1, echo: (args) => args, hang: () => new Promise(() => {}) }
const runOnce = async (program, limits = {}, tools = TOOLS, rest = {}) => {
  const runtime = await createCodeRuntime({ warm: 0, limits })
  const result = await runtime.run({ program, bindings: [{ global: 'tools', functions: tools }], ...rest })
  await runtime.dispose()
  return result
}
const say = (value) => console.log(JSON.stringify(value))
`

/**
 * Programs that may end their host, or that must not be measured together with other tests, run under a Node process
 * of their own. The script is an ES module after a prelude that offers `createCodeRuntime`, `runOnce` and `say`, and as
 * `parts` what the entry exports.
 */
export const useHostProcess = (
  entry = 'src/index.ts',
): ((script: string, options?: HostOptions) => Promise<HostEnd>) => {
  let count = 0
  beforeAll(async () => {
    await mkdir(folder, { recursive: true })
    await build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile: `${folder}/index.mjs`,
      bundle: true,
      splitting: false,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      logLevel: 'silent',
    })
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return async (script, options = {}) => {
    count += 1
    const file = `${folder}/script-${count}.mjs`
    await writeFile(file, `${PRELUDE(`${folder}/index.mjs`)}\n${script}`)
    return start(file, options)
  }
}

const start = async (file: string, options: HostOptions): Promise<HostEnd> => {
  const { nodeArgs = [], env = {}, cwd = root, uid, stdin, deadlineMs = 25_000 } = options
  const child = spawn(process.execPath, [...nodeArgs, file], {
    cwd,
    ...(uid === undefined ? {} : { uid }),
    env: { PATH: process.env['PATH'], ...env },
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  if (stdin !== undefined) child.stdin?.write(stdin)
  const timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs)
  const [[code, signal], stdout, stderr] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout as NonNullable<typeof child.stdout>),
    text(child.stderr as NonNullable<typeof child.stderr>),
  ])
  clearTimeout(timer)
  return { code, signal, stdout, stderr }
}

/** What the script said, line by line. Throws what the process wrote to stderr when it did not end well. */
export const said = ({ code, signal, stdout, stderr }: HostEnd): unknown[] => {
  if (code !== 0) throw new Error(`the host ended with ${code ?? signal}: ${stderr.slice(0, 600)}`)
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown)
}
