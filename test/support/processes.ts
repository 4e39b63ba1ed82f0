import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'

const DEADLINE_MS = 10_000

/** Whether a process exists and is no zombie. */
export const isAlive = (pid: number): boolean => !['', 'Z', 'X'].includes(stateOf(pid))

const stateOf = (pid: number): string => {
  const stat = read(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2)[0] ?? ''
}

/** Waits until something holds, and fails loudly when it does not come to that. */
export const until = async (holds: () => boolean, what: string, deadlineMs = DEADLINE_MS): Promise<void> => {
  const startedAtMs = performance.now()
  while (!holds()) {
    if (performance.now() - startedAtMs > deadlineMs) throw new Error(`it did not come to this: ${what}`)
    await sleep(5)
  }
}

export const allGone = (pids: readonly number[]): Promise<void> =>
  until(() => !pids.some(isAlive), `the processes ${pids.join(', ')} are gone`)

const pidsOfSystem = (): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)

/**
 * A temp root of the test file's own, which its guests are told of. After every test nothing of a run may be left: no
 * file in it, no process that knows it. At the end nothing may be left of fork servers either.
 */
export const useOwnTemp = (): { readonly path: string } => {
  const temp = { path: '' }
  const before = process.env['TMPDIR']
  beforeAll(() => {
    temp.path = realpathSync(mkdtempSync(join(tmpdir(), 'test temp ')))
    process.env['TMPDIR'] = temp.path
  })
  afterEach(async () => {
    await until(() => guestsOf(temp.path).length === 0, `no guest of ${temp.path} lives`)
    expect(readdirSync(temp.path).filter((name) => !isServed(join(temp.path, name)))).toEqual([])
  })
  afterAll(() => {
    const left = readdirSync(temp.path)
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    rmSync(temp.path, { recursive: true, force: true })
    expect(left).toEqual([])
  })
  return temp
}

/** The folder of a socket that a living host listens at. */
const isServed = (folder: string): boolean => read('/proc/net/unix').includes(` ${join(folder, 's')}\n`)

/** Forks of it have the same command line, but it as their parent. */
const isForkServer = (pid: number): boolean =>
  read(`/proc/${pid}/cmdline`).endsWith('\0fork-server\0') &&
  read(`/proc/${pid}/status`).includes(`\nPPid:\t${process.pid}\n`)

const guestsOf = (temp: string): number[] =>
  pidsOfSystem().filter((pid) => {
    const environment = read(`/proc/${pid}/environ`).split('\0')
    const isGuest =
      environment.includes(`TMPDIR=${temp}`) && environment.some((entry) => entry.startsWith('CODE_RUNTIME_RUN='))
    return isGuest && !isForkServer(pid)
  })

const read = (path: string): string => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
