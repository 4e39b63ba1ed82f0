import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { useRuntime } from '../support/runtimes.js'

const FS = `const fs = await import('node:fs')\n`
const FILE = `const path = ${JSON.stringify(tmpdir())} + '/code-runtime-test-' + process.hrtime.bigint()\n`
const REMOVE = '\nfs.rmSync(path)\n'

describe('descriptors of a worker', () => {
  const { run } = useRuntime()

  it.each([
    ['writeSync', `fs.writeSync(1, 'a\\n')`],
    ['writeSync of a part of bytes', `fs.writeSync(1, Buffer.from('xa\\nx'), 1, 2)`],
    ['write', `await new Promise((done) => fs.write(1, 'a\\n', done))`],
    ['writev', `await new Promise((done) => fs.writev(1, [Buffer.from('a'), Buffer.from('\\n')], done))`],
    ['writevSync', `fs.writevSync(1, [Buffer.from('a'), Buffer.from('\\n')])`],
    ['writeFileSync', `fs.writeFileSync(1, 'a\\n')`],
    ['appendFileSync', `fs.appendFileSync(1, 'a\\n')`],
  ])('text by %s is captured', async (_name, write) => {
    const { logs, error } = await run(`${FS}${write}`)
    expect(error).toBeUndefined()
    expect(logs).toEqual(['a'])
  })

  it.each([
    ['writeSync', `const fd = fs.openSync(path, 'w'); fs.writeSync(fd, 'ab'); fs.closeSync(fd)`],
    ['writevSync', `const fd = fs.openSync(path, 'w'); fs.writevSync(fd, [Buffer.from('ab')]); fs.closeSync(fd)`],
    ['writeFileSync', `fs.writeFileSync(path, 'ab')`],
    ['appendFileSync', `fs.appendFileSync(path, 'ab')`],
    [
      'callbacks',
      `const call = (method, ...args) => new Promise((done, fail) => fs[method](...args, (error, value) => (error ? fail(error) : done(value))))
      const fd = await call('open', path, 'w'); await call('write', fd, 'a'); await call('writev', fd, [Buffer.from('b')]); await call('close', fd)`,
    ],
  ])('files are written by %s as ever', async (_name, write) => {
    const { value, error } = await run(
      `${FS}${FILE}${write}\nconst text = fs.readFileSync(path, 'utf8')${REMOVE}return text`,
    )
    expect(error).toBeUndefined()
    expect(value).toBe('ab')
  })

  it('what the program did not open it cannot close', async () => {
    const { value } = await run(
      `${FS}const codes = []
      try { fs.closeSync(1) } catch (error) { codes.push(error.code) }
      await new Promise((done) => fs.close(2, (error) => { codes.push(error.code); done() }))
      fs.close(1)
      try { fs.open('/') } catch (error) { codes.push(error.code) }
      return codes`,
    )
    expect(value).toEqual(['EBADF', 'EBADF', 'ERR_INVALID_ARG_TYPE'])
  })

  it.each([
    ['v8.setFlagsFromString', `(await import('node:v8')).setFlagsFromString('--expose-gc')`],
    ['process.binding', `process.binding('v8')`],
    ['connectToMainThread', `const { Session } = await import('node:inspector'); new Session().connectToMainThread()`],
    ['process.setUncaughtExceptionCaptureCallback', `process.setUncaughtExceptionCaptureCallback(null)`],
  ])('%s is not available', async (_name, use) => {
    const { error } = await run(`${use}; return [process._getActiveHandles(), process._getActiveRequests()]`)
    expect(error?.kind).toBe('exception')
  })

  it('handles of the process are not shown', async () => {
    const { value } = await run('return [process._getActiveHandles(), process._getActiveRequests()]')
    expect(value).toEqual([[], []])
  })
})
