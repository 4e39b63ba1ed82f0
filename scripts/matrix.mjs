/** `npm run matrix`: the conformance suite under every Node and every CPython that can be had here. */

import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { buildIfStale } from './build-if-stale.mjs'

/** What `npm test` does not run under: its own Node and its own Python it does. */
const NODES = ['20', '22', '24']
const AT_ONCE = 2
const MAX_JSON_BYTES = 64e6

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'matrix-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

buildIfStale()
const totals = { passed: 0, failed: 0, skipped: 0 }
const jobs = [...nodeJobs(), ...pythonJobs()]
await Promise.all(Array.from({ length: AT_ONCE }, runJobs))
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`)
process.exitCode = totals.failed > 0 ? 1 : 0

async function runJobs() {
  for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) await run(job)
}

function nodeJobs() {
  const others = NODES.filter((major) => major !== process.versions.node.split('.')[0])
  return others.flatMap((major) => {
    const node = installNode(major)
    if (node === undefined) {
      skip(`Node ${major}`, 'its binary could not be installed from npm')
      return []
    }
    const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
    return ['typescript', 'python'].map((language) => ({ title: `Node ${stdout.trim()}`, node, language }))
  })
}

/** Node's binaries come as packages of npm. */
function installNode(major) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', join(folder, major), `${name}@${major}`]
  const { status } = spawnSync('npm', args, { stdio: 'ignore' })
  return status === 0 ? join(folder, major, 'node_modules', name, 'bin', 'node') : undefined
}

function pythonJobs() {
  const { stdout } = spawnSync('python3', ['-B', 'test/py/run.py', '--list'], { cwd: root, encoding: 'utf8' })
  const found = stdout.trim().split('\n').filter(Boolean)
  if (found.length === 0) skip('Python', 'there is no CPython 3.10 or newer')
  const own = ownPython()
  return found
    .map((line) => line.split(/ (.*)/))
    .filter(([, path]) => path !== own)
    .map(([version, path]) => ({ title: `CPython ${version}`, node: process.execPath, language: 'python', path }))
}

function ownPython() {
  const { stdout } = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' })
  return stdout?.trim()
}

function skip(title, reason) {
  totals.skipped += 1
  console.log(`${title}: SKIPPED, ${reason}`)
}

async function run({ title, node, language, path }) {
  const env = path === undefined ? process.env : { ...process.env, PATH: dirname(path) + delimiter + process.env.PATH }
  const args = ['dist/cli.js', 'conformance', '--language', language, '--format', 'json']
  const { stdout, stderr, code } = await promisify(execFile)(node, args, {
    cwd: root,
    env,
    maxBuffer: MAX_JSON_BYTES,
  }).catch((error) => error)
  for (const matrix of parse(stdout)) report(`${title}, ${matrix.backend}`, matrix.sections)
  if (code === undefined) return
  console.log(`${title}, ${language}: exit code ${code}\n${stderr}`)
  if (parse(stdout).length === 0) totals.failed += 1
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return []
  }
}

function report(title, sections) {
  const outcomes = sections.flatMap(({ results }) => results).map(({ outcome }) => outcome)
  const count = (wanted) => outcomes.filter((outcome) => outcome === wanted).length
  totals.passed += count('passed')
  totals.failed += count('failed')
  console.log(`${title}: ${count('passed')} passed, ${count('failed')} failed`)
}
