import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SpawnStarter } from '../../../src/adapters/python/guest-starter.js'
import { FakeProcessControl } from '../../../src/testing.js'
import { useOwnTemp } from '../../support/processes.js'

useOwnTemp()

const setUp = () => {
  const processControl = new FakeProcessControl()
  const interpreter = { path: '/bin/python3', version: '3.11', signature: undefined }
  const options = { interpreter, cwd: '/somewhere', guestBytes: Buffer.from('guest'), processControl }
  return { processControl, starter: new SpawnStarter(options) }
}

test('the interpreter is started isolated and unbuffered, with nothing of the environment', () => {
  const { starter, processControl } = setUp()
  const { staged } = starter.start(1_000)
  const { file, args, env, cwd, frameCapBytes } = processControl.processes[0]!.command
  expect([file, args, cwd, frameCapBytes]).toEqual([
    '/bin/python3',
    ['-I', '-B', '-u', staged.path],
    '/somewhere',
    1_000,
  ])
  expect(readFileSync(staged.path, 'utf8')).toBe('guest')
  expect(Object.keys(env).toSorted()).toEqual([
    'LC_ALL',
    'MPLBACKEND',
    'OPENBLAS_NUM_THREADS',
    'PYTHONIOENCODING',
    'TMPDIR',
  ])
  staged.remove()
  expect(existsSync(staged.folder)).toBe(false)
})

test('what spawn throws is thrown, and no file stays', () => {
  const { starter, processControl } = setUp()
  processControl.spawnFailure = new Error('EMFILE')
  expect(() => starter.start(1_000)).toThrow('spawn error: EMFILE')
})
