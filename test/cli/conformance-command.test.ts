import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runConformanceCommand } from '../../src/cli/conformance-command.js'
import { OWN_BACKENDS } from '../../src/cli/own-backends.js'
import { UsageError } from '../../src/cli/usage-error.js'
import type { ConformanceMatrix } from '../../src/testing.js'

const ID = '3.1 a body without await works'
const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
const printed = { stdout: '', stderr: '' }
const writers = { stdout: process.stdout.write, stderr: process.stderr.write }

beforeEach(() => {
  for (const stream of ['stdout', 'stderr'] as const) {
    printed[stream] = ''
    process[stream].write = ((text: string) => {
      printed[stream] += text
      return true
    }) as typeof process.stdout.write
  }
})
afterEach(() => {
  for (const stream of ['stdout', 'stderr'] as const) process[stream].write = writers[stream]
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A module whose launcher gives 4 for every program; `exported` is what it exports. */
const launcherFile = (name: string, exported: string): string => {
  const file = join(folder, name)
  const answering = `
    class Guest {
      stopWithinMs = 1000
      transport = {
        open: (receiver) => { this.receiver = receiver },
        send: (text, sent) => {
          sent()
          const { type } = JSON.parse(text)
          const frame = type === 'boot' ? { type: 'boot-ack' } : { type: 'done', value: 4 }
          setImmediate(() => { const text = JSON.stringify(frame); this.receiver.frame(text, text.length) })
        },
        close: () => {},
      }
      start(sink) { this.sink = sink; this.transport.open(sink) }
      usage() { return { cpuMs: null, peakMemoryBytes: null } }
      stop() { setImmediate(() => this.sink.gone({ type: 'exited', code: 0 })) }
    }
    let disposed = 0
    class Fours {
      language = 'javascript'
      isolation = 'none'
      async prepare(program) { return { ok: true, program } }
      launch() { return new Guest() }
      async dispose() { disposed += 1 }
    }
  `
  writeFileSync(file, `${answering}\n${exported}`)
  return file
}

const matrices = (): ConformanceMatrix[] => JSON.parse(printed.stdout) as ConformanceMatrix[]
const outcomes = () => matrices().flatMap(({ sections }) => sections.flatMap(({ results }) => results))

describe('a launcher of a file', () => {
  it.each([
    ['factory.mjs', 'export default () => new Fours()'],
    ['async-factory.mjs', 'export default async () => new Fours()'],
    ['launcher.mjs', 'export default new Fours()'],
  ])('is put to the suite: %s', async (name, exported) => {
    const file = launcherFile(name, exported)
    expect(await runConformanceCommand(['--launcher', file, '--case', ID, '--format', 'json'])).toBe(0)
    expect(matrices().map(({ backend }) => backend)).toEqual([name])
    expect(outcomes().map(({ id, outcome }) => [id, outcome])).toEqual([
      [ID, 'passed'],
      ['9.2 the runtimes of section 3 can be disposed', 'passed'],
    ])
  })

  it('is used with what it declares', async () => {
    const exported = `export default () => new Fours(); export const capabilities = ['environment'], programs = { '3.2 the environment is empty': '4' }`
    const args = ['--launcher', launcherFile('declared.mjs', exported), '--case', '3.2 the environment is empty']
    expect(await runConformanceCommand(args)).toBe(1)
    expect(printed.stdout).toContain('1 failed')
    expect(printed.stderr).toContain('failed: 3.2 the environment is empty\n  Expected $.value to be [[],null], got 4')
  })

  it('may be a whole backend', async () => {
    const exported = `export default { language: 'javascript', create: async () => ({ run: async () => ({ value: 4, logs: [], calls: [] }), dispose: async () => {} }) }`
    const args = ['--launcher', launcherFile('backend.mjs', exported), '--case', ID]
    expect(await runConformanceCommand(args)).toBe(0)
  })

  it('that is none is a usage error', async () => {
    const file = launcherFile('none.mjs', 'export default 5')
    await expect(runConformanceCommand(['--launcher', file])).rejects.toThrow(UsageError)
  })
})

describe('the own backends', () => {
  it.each([
    ['all of them', [], OWN_BACKENDS.filter(({ isAvailable }) => isAvailable).map(({ name }) => name)],
    ['those of a language', ['--language', 'typescript'], ['TypeScript, worker thread']],
  ])('%s', async (_title, args, names) => {
    expect(await runConformanceCommand([...args, '--case', ID, '--format', 'json'])).toBe(0)
    expect(matrices().map(({ backend }) => backend)).toEqual(names)
    expect(outcomes().map(({ outcome }) => outcome)).toEqual(Array(names.length * 2).fill('passed'))
  })

  it('--out writes the matrix into a file', async () => {
    const out = join(folder, 'matrix.md')
    const args = ['--language', 'typescript', '--case', ID, '--format', 'markdown', '--out', out]
    expect(await runConformanceCommand(args)).toBe(0)
    expect(readFileSync(out, 'utf8')).toContain('| 3 Program semantics | 2 passed |')
    expect(printed.stdout).toBe('')
  })
})

it.each([
  ['an unknown option', ['--nope'], /--nope/],
  ['an unknown format', ['--format', 'xml'], /text, json, markdown/],
  ['an unknown language', ['--language', 'ruby'], /ruby/],
  ['a section without cases', ['--section', '99'], /no case/],
])('%s is a usage error', async (_title, args, message) => {
  await expect(runConformanceCommand(args)).rejects.toThrow(UsageError)
  await expect(runConformanceCommand(args)).rejects.toThrow(message)
})
