import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { OWN_BACKENDS } from '../../src/cli/own-backends.js'
import { createCodeRuntime } from '../../src/index.js'
import { CASES } from '../../src/testing/conformance/sections.js'
import {
  answering,
  CAPABILITIES,
  type Capability,
  type ConformanceBackend,
  type ConformanceMatrix,
  type ConformanceTest,
  conformance,
  FakeLauncher,
  registerConformance,
  renderConformance,
  runConformance,
} from '../../src/testing.js'
import { REPORTS } from '../support/field-reports.js'

const EVERYTHING = Object.keys(CAPABILITIES) as Capability[]

/** A backend whose every program gives 4. */
const giving4 = (more: Partial<ConformanceBackend> = {}): ConformanceBackend => ({
  language: 'typescript',
  capabilities: [],
  create: ({ limits = {} }) => createCodeRuntime({ launcher: new FakeLauncher(answering({ value: 4 })), limits }),
  ...more,
})
const IDS = ['3.1 a body without await works', '3.1 a value of null is a value', '3.2 the environment is empty']

const testsOf = (backend: ConformanceBackend): ConformanceTest[] =>
  conformance(backend).flatMap(({ tests }) => [...tests])

describe('the cases', () => {
  it('have ids of their own', () => {
    const ids = testsOf(giving4()).map(({ id }) => id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it('apply to one of our backends at least, and need nothing that no backend has', () => {
    const applicable = new Set(
      OWN_BACKENDS.flatMap(({ backend }) =>
        testsOf(backend).flatMap(({ id, notApplicable }) => (notApplicable === undefined ? [id] : [])),
      ),
    )
    expect(testsOf(giving4()).filter(({ id }) => !applicable.has(id))).toEqual([])
  })

  it('cover every report from the field, but for those that a file covers', () => {
    const covered = [...new Set(CASES.flatMap(({ reports = [] }) => reports))]
    const elsewhere = Object.entries(REPORTS).filter(([, where]) => where !== 'case')
    expect([...covered, ...elsewhere.map(([report]) => report)].toSorted()).toEqual(Object.keys(REPORTS).toSorted())
    for (const [, file] of elsewhere) expect(existsSync(new URL(`../../${file}`, import.meta.url)), file).toBe(true)
  })
})

describe('what applies', () => {
  const reasons = (backend: ConformanceBackend, id: string) => {
    const found = testsOf(backend).find((test) => test.id === id)
    if (found === undefined) throw new Error(`there is no case ${id}`)
    return found.notApplicable
  }

  it.each<[title: string, more: Partial<ConformanceBackend>, id: string, reason: string | undefined]>([
    ['a program in the language', {}, '3.1 a body without await works', undefined],
    ['no capability', {}, '3.2 the environment is empty', 'not declared: environment'],
    ['the capability', { capabilities: EVERYTHING }, '3.2 the environment is empty', undefined],
    [
      'none of several',
      {},
      '8.1 waiting is free: a call of 1.5 s is fine under a compute budget of 1 s',
      'not declared: computeMs or cpuSeconds',
    ],
    [
      'one of several',
      { capabilities: ['cpuSeconds'] },
      '8.1 waiting is free: a call of 1.5 s is fine under a compute budget of 1 s',
      undefined,
    ],
    ['no program', { language: 'ruby' }, '3.1 a body without await works', 'no program in ruby'],
    [
      'a program of its own',
      { language: 'ruby', programs: { [IDS[0]!]: '2 + 2' } },
      '3.1 a body without await works',
      undefined,
    ],
    [
      'a language that is accepted',
      { language: 'lua', accepts: ['python'] },
      '3.1 a body without await works',
      undefined,
    ],
    [
      'types in JavaScript',
      { language: 'javascript', capabilities: EVERYTHING },
      '3.6 accepted: enum',
      'no program in javascript',
    ],
    ['types in TypeScript', { capabilities: EVERYTHING }, '3.6 accepted: enum', undefined],
  ])('%s', (_title, more, id, reason) => {
    expect(reasons(giving4(more), id)).toBe(reason)
  })
})

describe('runConformance', () => {
  it('tells what passed, what failed and why, and what did not apply', async () => {
    const heard: string[] = []
    const { sections } = await runConformance('fake', giving4(), { ids: IDS, onResult: ({ id }) => heard.push(id) })
    const [{ title, results } = { title: '', results: [] }] = sections
    expect([sections.length, title]).toEqual([1, '3 Program semantics'])
    expect(results.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['passed', undefined],
      ['failed', 'Expected $.value to be null, got 4'],
      ['not-applicable', 'not declared: environment'],
      ['passed', undefined],
    ])
    expect(heard).toEqual(results.map(({ id }) => id))
  })

  it('a backend that cannot be created fails its cases', async () => {
    const create = async () => {
      throw new Error('no such machine')
    }
    const { sections } = await runConformance('fake', giving4({ create }), { ids: IDS.slice(0, 1) })
    expect(sections[0]?.results.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['failed', 'no such machine'],
      ['failed', 'no such machine'],
    ])
  })

  it.each([
    ['6', /^6\./],
    ['6.1', /^6\.1 /],
    ['1', /^1\./],
  ])('of section %s runs that section alone', (section, pattern) => {
    const ids = conformance(giving4(), { sections: [section] }).flatMap(({ tests }) =>
      tests.slice(0, -1).map(({ id }) => id),
    )
    expect(ids.length).toBeGreaterThan(0)
    expect(ids.filter((id) => !pattern.test(id))).toEqual([])
  })
})

describe('registerConformance', () => {
  it('registers what applies and skips the rest with the reason', async () => {
    const seen: unknown[] = []
    const it = Object.assign(
      (title: string, test: () => Promise<void>, timeoutMs?: number) => seen.push([title, test, timeoutMs]),
      { skip: (title: string) => seen.push(['skipped', title]) },
    )
    const describe = (title: string, suite: () => void) => {
      seen.push(title)
      suite()
    }
    registerConformance({ describe, it }, giving4(), { ids: IDS })
    expect(seen).toEqual([
      '3 Program semantics',
      [IDS[0], expect.any(Function), 30_000],
      [IDS[1], expect.any(Function), 30_000],
      ['skipped', `${IDS[2]} (not declared: environment)`],
      ['9.2 the runtimes of section 3 can be disposed', expect.any(Function), 30_000],
    ])
    await (seen[1] as [string, () => Promise<void>])[1]()
    await expect((seen[2] as [string, () => Promise<void>])[1]()).rejects.toThrow('got 4')
  })
})

describe('the renderings', () => {
  const result = (id: string, outcome: 'passed' | 'failed' | 'not-applicable', reason?: string) => ({
    id,
    section: '3.1',
    title: id,
    outcome,
    ...(reason === undefined ? {} : { reason }),
  })
  const matrix: ConformanceMatrix = {
    backend: 'mine',
    capabilities: ['exit'],
    sections: [
      { title: '3 Programs', results: [result('a', 'passed'), result('b', 'failed', 'got | 4\nmore')] },
      { title: '4 Bindings', results: [result('c', 'not-applicable', 'not declared: stdin')] },
    ],
  }

  it('as text', () => {
    expect(renderConformance([matrix], 'text')).toBe(
      [
        'section     mine',
        '3 Programs  1 passed, 1 failed',
        '4 Bindings  0 passed, 1 not applicable',
        'all         1 passed, 1 failed, 1 not applicable',
        '',
        'failed (mine): b',
        '  got | 4',
        'not applicable (mine): 1 not declared: stdin',
        '',
      ].join('\n'),
    )
  })

  it('as JSON', () => expect(JSON.parse(renderConformance([matrix], 'json'))).toEqual([matrix]))

  it('as Markdown', () => {
    const page = renderConformance([matrix], 'markdown')
    expect(page).toContain('| section | mine |\n| --- | --- |\n| 3 Programs | 1 passed, 1 failed |\n')
    expect(page).toMatch(/\| `exit` \| .* \| yes \|/)
    expect(page).toMatch(/\| `stdin` \| .* \| no \|/)
    expect(page).toContain('## Failed: mine\n\n| case | why |\n| --- | --- |\n| b | got \\| 4 |\n')
    expect(page).toContain(
      '## Not applicable: mine\n\n| reason | cases |\n| --- | --- |\n| not declared: stdin | 1 |\n',
    )
  })
})

describe('docs/conformance.md', () => {
  // test/contract/conformance/ fails unless every applicable case passes.
  const allPassed = ({ name, backend }: (typeof OWN_BACKENDS)[number]): ConformanceMatrix => ({
    backend: name,
    capabilities: [...backend.capabilities].toSorted(),
    sections: conformance(backend).map(({ title, tests }) => ({
      title,
      results: tests.map(({ id, section, title: text, notApplicable: reason }) => ({
        id,
        section,
        title: text,
        ...(reason === undefined ? { outcome: 'passed' } : { outcome: 'not-applicable', reason }),
      })),
    })),
  })

  it('is what `npm run conformance` writes when every case passes', () => {
    const page = readFileSync(new URL('../../docs/conformance.md', import.meta.url), 'utf8')
    expect(page).toBe(renderConformance(OWN_BACKENDS.map(allPassed), 'markdown'))
  })
})
