import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const tools = createRequire(import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'code-runtime-pack-'))
const consumer = mkdtempSync(join(tmpdir(), 'code-runtime-consumer-'))
const FOUR = '3.1 a body without await works'
const count = { passed: 0, failed: 0 }

try {
  checkPackage()
} finally {
  for (const path of [folder, consumer]) rmSync(path, { recursive: true, force: true })
}
console.log(`${count.passed} passed, ${count.failed} failed`)
process.exitCode = count.failed === 0 ? 0 : 1

function checkPackage() {
  const packed = step('npm pack', () => npm(root, ['pack', '--json', '--pack-destination', folder]))
  if (packed === undefined) return
  const [{ filename, files }] = JSON.parse(packed.slice(packed.indexOf('[\n')))
  const tarball = join(folder, basename(filename))

  step('the tarball holds the build and no source', () => checkFiles(files.map(({ path }) => path)))
  step('publint', () => node(root, [bin('publint'), tarball, '--strict']))
  step('attw', () => node(root, [bin('@arethetypeswrong/cli', 'attw'), tarball, '--profile', 'node16']))
  if (step('install without development packages', () => install(tarball)) === undefined) return
  for (const script of ['consumer.mjs', 'consumer.cjs']) step(`run ${script}`, () => node(consumer, [script]))
  step('the command puts a launcher to the suite', () => conform(['--launcher', 'backend.mjs', '--case', FOUR]))
  step('the command puts an own backend to it', () => conform(['--language', 'typescript', '--section', '3.1']))
  step('the suite registers with node:test', () => node(consumer, ['--test', 'conformance.test.mjs']))
  for (const script of ['types.mts', 'types.cts']) step(`types of ${script}`, () => checkTypes(script))
}

function step(title, check) {
  try {
    const value = check()
    count.passed += 1
    console.log(`ok ${title}`)
    return value ?? true
  } catch (error) {
    count.failed += 1
    console.log(`FAILED ${title}\n${error.message}`)
    return undefined
  }
}

function checkFiles(paths) {
  const { bin, exports, imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const targets = JSON.stringify([bin, exports, imports['#worker-entry']]).match(/(?<="(?:\.\/)?)dist[^"]+\.\w+(?=")/g)
  const missing = ['LICENSE', ...targets].filter((path) => !paths.includes(path))
  const extra = paths.filter((path) => !/^(dist\/|py\/.*\.py$|package\.json$|LICENSE$|README\.md$)/.test(path))
  if (missing.length + extra.length > 0) throw new Error(`missing: ${missing}\nextra: ${extra}`)
}

function conform(args) {
  const printed = npm(consumer, ['exec', '--no', '--', 'code-runtime', 'conformance', ...args])
  if (!/^all +\d+ passed/m.test(printed)) throw new Error(printed)
}

function install(tarball) {
  cpSync(fileURLToPath(new URL('consumer', import.meta.url)), consumer, { recursive: true })
  writeFileSync(join(consumer, 'package.json'), '{"private": true}')
  npm(consumer, ['install', '--omit=dev', '--no-audit', '--no-fund', tarball])
}

function checkTypes(script) {
  const options = [
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2023,esnext.disposable',
    '--strict',
    '--noEmit',
  ]
  const types = ['--exactOptionalPropertyTypes', '--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  node(consumer, [bin('typescript', 'tsc'), ...options, ...types, script])
}

function bin(name, command = name) {
  const manifest = join(root, 'node_modules', name, 'package.json')
  return join(root, 'node_modules', name, tools(manifest).bin[command])
}

function node(cwd, args) {
  return run(process.execPath, args, { cwd })
}

function npm(cwd, args) {
  return run('npm', args, { cwd, shell: process.platform === 'win32' })
}

function run(command, args, options) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { ...options, encoding: 'utf8', timeout: 300_000 })
  if (error) throw error
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${stdout}\n${stderr}`)
  return stdout
}
