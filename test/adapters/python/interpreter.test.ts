import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resolveInterpreter } from '../../../src/adapters/python/interpreter.js'
import { PythonLauncher } from '../../../src/adapters/python/launcher.js'
import { SystemClock } from '../../../src/adapters/system-clock.js'
import { ConfigurationError, createCodeRuntime } from '../../../src/index.js'
import { FakeProcessControl } from '../../../src/testing.js'
import { allGone, useOwnTemp } from '../../support/processes.js'
import { runPython } from '../../support/python.js'

useOwnTemp()
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'interpreters with spaces ')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const real = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim()
const realFolder = dirname(real)

const script = (name: string, text: string, mode = 0o755): string => {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

const opened: number[] = []
afterAll(() => opened.forEach((fd) => void closeSync(fd)))
const open = (path: string): string => {
  opened.push(openSync(path, 'r+'))
  return path
}
const busy = (name: string): string => open(script(name, '#!/bin/sh\n'))

const reporting = (...lines: string[]): string =>
  `#!/bin/sh\nprintf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')}\n`

const refusal = async (pythonBin: string, path?: string): Promise<string> => {
  const error: unknown = await resolveInterpreter(pythonBin, path).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConfigurationError)
  return (error as ConfigurationError).message
}

const python = (pythonBin: string, program: string) => runPython(program, { pythonBin })

describe('an interpreter is refused that', () => {
  test.each([
    ['is missing', () => join(folder, 'missing'), /not an executable regular file/],
    ['is missing by a relative path', () => './missing/python3', /not an executable regular file.*missing/],
    ['may not be executed', () => script('plain', 'print(1)', 0o644), /not an executable regular file/],
    ['is a directory', () => folder, /not an executable regular file/],
    ['has an empty name', () => '', /not empty/],
    ['has a NUL in its name', () => 'python3\0', /without NUL/],
    ['has a NUL in its path', () => '/usr/bin/python3\0', /without NUL/],
    ['is no interpreter', () => '/bin/echo', /did not report a CPython version, but "-I -S -c/],
    ['prints nothing', () => script('silent', '#!/bin/sh\n'), /did not report a CPython version, but nothing/],
    [
      'prints garbage',
      () => script('garbage', `#!/bin/sh\nhead -c 1000 /dev/urandom\n`),
      /did not report a CPython version/,
    ],
    ['prints without end', () => script('chatty', '#!/bin/sh\nyes\n'), /did not report a CPython version/],
    ['fails', () => script('failing', '#!/bin/sh\nexit 3\n'), /did not report a CPython version/],
    ['is being written', () => busy('busy'), /could not be started \(.*ETXTBSY/],
    [
      'names a program that is not there',
      () => script('dangling', '#!/no/such/interpreter\n'),
      /could not be started \(.*ENOENT/,
    ],
    [
      'is 3.9',
      () => script('old', reporting('code-runtime', 'cpython', '3', '9', '')),
      /CPython 3.10 or newer: it reported cpython 3.9/,
    ],
    ['is 2.7', () => script('two', reporting('code-runtime', 'cpython', '2', '17', '')), /reported cpython 2.17/],
    [
      'is PyPy',
      () => script('pypy3', reporting('code-runtime', 'pypy', '3', '10', '')),
      /CPython 3.10 or newer: it reported pypy 3.10/,
    ],
  ])('%s', async (_title, given, message) => {
    expect(await refusal(given())).toMatch(message)
  })

  test('hangs: it is killed with its group after five seconds', async () => {
    const pidFile = join(folder, 'hanging.pid')
    const path = script('hanging', `#!/bin/sh\nsleep 1000 &\necho $! $$ > '${pidFile}'\nwait\n`)
    expect(await refusal(path)).toMatch(/did not report a CPython version within 5 s, but nothing/)
    await allGone(readFileSync(pidFile, 'utf8').trim().split(' ').map(Number))
  })

  test('cannot compile the guest under the conditions of a run', async () => {
    const path = script(
      'homesick',
      `#!/bin/sh\nif [ -z "$HOME" ]; then echo 'no home' >&2; exit 4; fi\nexec '${real}' "$@"\n`,
    )
    await expect(python(path, 'return 1')).rejects.toThrow(/could not compile the guest: no home/)
  })

  const old = join(homedir(), '.pyenv/versions/3.9.18/bin/python3')
  test.skipIf(!existing(old))('is a real 3.9', async () => {
    expect(await refusal(old)).toMatch(/it reported cpython 3.9/)
  })
})

describe('a bare name', () => {
  const search = (...folders: string[]): string => folders.join(delimiter)

  test('is looked up on PATH', async () => {
    expect((await resolveInterpreter(basename(real), search('/no/such', realFolder))).path).toBe(real)
  })

  test.each([
    ['no PATH', undefined],
    ['an empty PATH', ''],
    ['the current directory in it, which is never searched', search('.', '', 'bin')],
  ])('does not resolve with %s', async (_title, path) => {
    expect(await refusal('python3', path ?? '')).toMatch(/does not resolve on PATH.*python3/)
  })

  test('skips directories and files that may not be executed', async () => {
    mkdirSync(join(folder, 'a', 'python3'), { recursive: true })
    script('b/python3', 'print(1)', 0o644)
    symlinkSync(real, join(mkdirp('c'), 'python3'))
    const path = search(join(folder, 'a'), join(folder, 'b'), join(folder, 'c'))
    expect((await resolveInterpreter('python3', path)).path).toBe(join(folder, 'c', 'python3'))
  })

  test('of a shim stands for what the shim starts', async () => {
    script('shims/python3', `#!/bin/sh\nexec '${real}' "$@"\n`)
    expect((await resolveInterpreter('python3', join(folder, 'shims'))).path).toBe(real)
  })

  test('whose report names no executable file stands for itself', async () => {
    const path = script(
      'liar/python3',
      reporting('code-runtime', 'cpython', '3', '12', Buffer.from('/no/such').toString('hex')),
    )
    expect((await resolveInterpreter('python3', dirname(path))).path).toBe(path)
  })

  test('is frozen: a later PATH changes nothing', async () => {
    await using runtime = await createCodeRuntime({ language: 'python' })
    const before = process.env['PATH']
    process.env['PATH'] = '/nowhere'
    try {
      expect((await runtime.run({ program: 'return 1' })).value).toBe(1)
    } finally {
      process.env['PATH'] = before
    }
  })
})

describe('a path', () => {
  test.each([
    ['absolute', () => real],
    ['relative to the current directory', () => relative(process.cwd(), real)],
  ])('that is %s runs', async (_title, path) => {
    expect((await python(path(), 'return 1')).value).toBe(1)
  })

  test('is run as it is: a wrapper that lowers limits does so in every run', async () => {
    const path = script('lowering', `#!/bin/sh\nulimit -n 64\nexec '${real}' "$@"\n`)
    const program = 'import resource\nreturn resource.getrlimit(resource.RLIMIT_NOFILE)[0]'
    expect((await python(path, program)).value).toBe(64)
  })

  test('of a wrapper that does not exec works as well', async () => {
    const path = script('parent', `#!/bin/sh\n'${real}' "$@"\n`)
    expect(await python(path, 'print(1)\nreturn 1')).toMatchObject({ value: 1, logs: ['1'] })
  })

  test.each([
    ['vanishes', rmSync, /spawn error: .*ENOENT/],
    ['may no longer be executed', (path: string) => chmodSync(path, 0o644), /spawn error: .*EACCES/],
    ['is being written', (path: string) => void open(path), /spawn error: .*ETXTBSY/],
  ])('to an interpreter that %s after creation makes the run end', async (title, change, message) => {
    const path = script(`later ${title}`, `#!/bin/sh\nexec '${real}' "$@"\n`)
    await using runtime = await createCodeRuntime({ language: 'python', pythonBin: path })
    change(path)
    const { error, usage } = await runtime.run({ program: 'return 1' })
    expect([error?.kind, error?.message]).toEqual(['worker-exit', expect.stringMatching(message)])
    expect([usage.cpuMs, usage.peakMemoryBytes]).toEqual([null, null])
  })
})

describe('a probe', () => {
  const counting = (name: string, executable: (path: string) => string): { path: string; count: () => number } => {
    const tally = join(folder, `${name} tally`)
    writeFileSync(tally, '')
    const path = join(folder, name)
    const report = ['code-runtime', 'cpython', '3', '12', Buffer.from(executable(path)).toString('hex')]
    script(name, `${reporting(...report)}echo x >> '${tally}'\n`)
    return { path, count: () => readFileSync(tally, 'utf8').length / 2 }
  }

  test('is done once for each state of an interpreter’s file', async () => {
    const { path, count } = counting('asked once', (own) => own)
    for (let i = 0; i < 3; i += 1) expect((await resolveInterpreter(path)).version).toBe('3.12')
    expect(count()).toBe(1)
    utimesSync(path, 1, 1)
    await resolveInterpreter(path)
    expect(count()).toBe(2)
  })

  test('of a shim is repeated: what it starts can change without it', async () => {
    const { path, count } = counting('asked again', () => real)
    for (let i = 0; i < 3; i += 1) await resolveInterpreter(path)
    expect(count()).toBe(3)
  })
})

describe('a virtual environment in a path with spaces', () => {
  const venv = join(folder, 'my env')
  beforeAll(async () => {
    execFileSync(real, ['-m', 'venv', '--without-pip', venv])
    const [site] = execFileSync('find', [venv, '-name', 'site-packages'], { encoding: 'utf8' }).trim().split('\n')
    writeFileSync(join(site ?? '', 'own_package.py'), 'ANSWER = 42\n')
  })

  test.each([
    ['by its path', () => join(venv, 'bin', 'python3')],
    ['by a bare name', () => 'python3'],
  ])('keeps its own packages %s', async (_title, pythonBin) => {
    const before = process.env['PATH']
    process.env['PATH'] = `${join(venv, 'bin')}${delimiter}${before}`
    try {
      const program = 'import own_package, sys\nreturn [own_package.ANSWER, sys.prefix]'
      expect((await python(pythonBin(), program)).value).toEqual([42, venv])
    } finally {
      process.env['PATH'] = before
    }
  })
})

test('Windows is refused', async () => {
  const launcher = PythonLauncher.create({
    pythonBin: 'python3',
    cwd: '/',
    warm: 0,
    clock: new SystemClock(),
    processControl: new FakeProcessControl(),
    platform: 'win32',
  })
  await expect(launcher).rejects.toThrow(/requires a Unix platform/)
})

function existing(path: string): boolean {
  try {
    execFileSync(path, ['--version'])
    return true
  } catch {
    return false
  }
}

function mkdirp(name: string): string {
  const path = join(folder, name)
  mkdirSync(path, { recursive: true })
  return path
}
