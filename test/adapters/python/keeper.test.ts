import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { newMark } from '../../../src/adapters/process/run-mark.js'
import { Keeper } from '../../../src/adapters/python/keeper.js'
import { allGone, isAlive, until } from '../../support/processes.js'

const SCRIPT = fileURLToPath(new URL('../../../py/keeper.py', import.meta.url))
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

const start = (file: string, args: string[], env: Record<string, string> = {}): ChildProcess & { pid: number } => {
  const child = spawn(file, args, { detached: true, env, stdio: ['pipe', 'ignore', 'pipe'] })
  children.push(child)
  return child as ChildProcess & { pid: number }
}
const sleeper = (env?: Record<string, string>) => start('/bin/sleep', ['1000'], env)
const startTime = (pid: number): string =>
  readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[19] ?? ''

/** What a keeper says on stderr when its input was these lines and has ended. */
const keep = async (...lines: string[]): Promise<string> => {
  const keeper = start('python3', ['-I', '-S', '-B', SCRIPT], { PATH: process.env['PATH'] ?? '' })
  let stderr = ''
  keeper.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk
  })
  keeper.stdin?.end(lines.map((line) => `${line}\n`).join(''))
  await once(keeper, 'close')
  return stderr
}

describe('at the end of its input the keeper kills', () => {
  test('a guest and who has its mark', async () => {
    const { env, mark } = newMark()
    const [guest, marked, stranger] = [sleeper(), sleeper(env), sleeper()]
    expect(await keep(`+ ${guest.pid} ${startTime(guest.pid)} ${mark} /x`)).toBe('')
    await allGone([guest.pid, marked.pid])
    expect(isAlive(stranger.pid)).toBe(true)
  })

  test('a guest of unknown start', async () => {
    const guest = sleeper()
    await keep(`+ ${guest.pid} - ${newMark().mark} /x`)
    await allGone([guest.pid])
  })

  test.each<[string, (pid: number) => string[]]>([
    ['that was forgotten', (pid) => [`+ ${pid} - ${newMark().mark} /x`, `- ${pid}`]],
    ['of another start', (pid) => [`+ ${pid} 1 ${newMark().mark} /x`]],
    [
      'of a mark that is none',
      (pid) => [`+ ${pid} - mark of ${pid}`, `+ ${pid} - X= /x`, `+ ${pid} - X=1 /x`, `+ ${pid} - = /x`, `+ ${pid} -`],
    ],
  ])('nobody %s', async (_title, lines) => {
    const guest = sleeper()
    expect(await keep(...lines(guest.pid))).toBe('')
    expect(isAlive(guest.pid)).toBe(true)
  })
})

test('staged files are removed, and nothing else', async () => {
  const root = mkdtempSync(join(tmpdir(), 'with spaces '))
  const [staged, other] = ['code-runtime-run-x', 'other'].map((name) => join(root, name)) as [string, string]
  for (const folder of [staged, other]) mkdirSync(join(folder, 'deep'), { recursive: true })
  await keep(...[staged, other].map((folder, i) => `+ ${1_000_000 + i} - ${newMark().mark} ${folder}`))
  expect([existsSync(staged), existsSync(other)]).toEqual([false, true])
  rmSync(root, { recursive: true })
})

test('a guest gets the limit that its descendants inherit', async () => {
  const { mark } = newMark()
  const guest = sleeper()
  const keeper = new Keeper('/usr/bin/python3')
  keeper.watch({ pid: guest.pid, startTime: startTime(guest.pid), mark }, '/x')
  await until(
    () => readFileSync(`/proc/${guest.pid}/limits`, 'latin1').includes(mark.split('=')[1] ?? '?'),
    'it has it',
  )
  keeper.forget({ pid: guest.pid, startTime: undefined, mark })
  await keeper.dispose()
  expect(isAlive(guest.pid)).toBe(true)
})

test.each([
  ['cannot be started', '/no/such/python3'],
  ['ends at once', '/bin/true'],
])('a keeper that %s is done without', async (_title, interpreter) => {
  const keeper = new Keeper(interpreter)
  const guest = { pid: 1_000_000, startTime: '1', mark: newMark().mark }
  for (let i = 0; i < 3; i += 1) {
    keeper.watch(guest, '/x')
    await new Promise((resolve) => setImmediate(resolve))
    keeper.forget(guest)
  }
  keeper.watch(guest, '/x')
  await keeper.dispose()
  await keeper.dispose()
})
