import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { stageGuest } from '../../../src/adapters/python/staging.js'
import { useOwnTemp } from '../../support/processes.js'

const temp = useOwnTemp()
const BYTES = Buffer.from('guest')

describe('a staged guest', () => {
  test('lies in a private folder of its own, directly under the temp root', () => {
    const one = stageGuest(BYTES)
    const two = stageGuest(BYTES)
    const folder = dirname(one.path)
    expect([dirname(folder), basename(folder)]).toEqual([temp.path, expect.stringMatching(/^code-runtime-run-/)])
    expect([statSync(folder).mode & 0o777, statSync(one.path).mode & 0o777]).toEqual([0o700, 0o600])
    expect([dirname(two.path) === folder, readFileSync(one.path)]).toEqual([false, BYTES])
    for (const staged of [one, two, one]) staged.remove()
  })

  test('leaves nothing when it cannot be written', () => {
    expect(() => stageGuest({} as Uint8Array)).toThrow(TypeError)
  })
})

describe('removing is not held up by a program that', () => {
  test.each<[string, (folder: string) => void]>([
    ['removed it before', (folder) => rmSync(folder, { recursive: true })],
    ['put more into it', (folder) => writeFileSync(join(mkdirp(join(folder, 'a', 'b')), 'c'), '')],
    ['took its permissions', (folder) => chmodSync(folder, 0)],
    [
      'put a file in its place',
      (folder) => {
        rmSync(folder, { recursive: true })
        writeFileSync(folder, '')
      },
    ],
  ])('%s', (_title, change) => {
    const staged = stageGuest(BYTES)
    change(dirname(staged.path))
    staged.remove()
    expect(existsSync(dirname(staged.path))).toBe(false)
  })

  test('put a link in its place: what it leads to stays as it is', () => {
    const staged = stageGuest(BYTES)
    const folder = dirname(staged.path)
    const target = mkdirp(join(temp.path, 'target'))
    writeFileSync(join(target, 'kept'), '')
    rmSync(folder, { recursive: true })
    symlinkSync(target, folder)
    staged.remove()
    expect([existsSync(folder), existsSync(join(target, 'kept'))]).toEqual([false, true])
    rmSync(target, { recursive: true })
  })

  test('moved it away: nothing throws', () => {
    const staged = stageGuest(BYTES)
    const elsewhere = join(temp.path, 'elsewhere')
    renameSync(dirname(staged.path), elsewhere)
    staged.remove()
    rmSync(elsewhere, { recursive: true })
  })
})

function mkdirp(path: string): string {
  mkdirSync(path, { recursive: true })
  return path
}
