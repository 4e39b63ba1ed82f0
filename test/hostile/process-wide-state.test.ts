import { describe, expect, it } from 'vitest'
import { said, useHostProcess } from '../support/host-process.js'

// Signals to the host's own process are the exception that docs/security.md names.
describe('what a worker shares with its host', () => {
  const host = useHostProcess()

  it.each([
    ['process.abort', `process.abort()`],
    ['process.reallyExit', `process.reallyExit(3)`],
    ['process.chdir', `process.chdir('/')`],
    ['process.umask', `process.umask(0)`],
    ['process.title', `process.title = 'x'; return 1`],
    [
      'flags of V8',
      `const v8 = await import('node:v8'); v8.setFlagsFromString('--allow-natives-syntax'); (0, eval)('%SystemBreak()')`,
    ],
    [
      'flags of V8 by process.binding',
      `process.binding('v8').setFlagsFromString('--allow-natives-syntax'); (0, eval)('%SystemBreak()')`,
    ],
    [
      'the inspector of the main thread',
      `const { Session } = await import('node:inspector'); const session = new Session(); session.connectToMainThread(); session.post('Runtime.evaluate', { expression: 'process.exit(91)' }); await new Promise((done) => setTimeout(done, 200)); return 1`,
    ],
    [
      'the inspector of its own thread',
      `const { Session } = await import('node:inspector'); const session = new Session(); session.connect(); session.post('Runtime.evaluate', { expression: 'process.exit(92)' }); return 1`,
    ],
    ['the reports of Node', `process.report.reportOnFatalError = true; return typeof process.report.getReport()`],
    ['the exit code', `process.exitCode = 93; return 1`],
    ['exit listeners', `process.on('exit', () => { process.exitCode = 94 }); return 1`],
    [
      'uncaught exceptions',
      `process.setUncaughtExceptionCaptureCallback?.(() => {}); setTimeout(() => { throw 1 }); await new Promise((done) => setTimeout(done, 30)); return 1`,
    ],
    [
      'warnings',
      `process.emitWarning('a warning of the program'); process.emitWarning('old', 'DeprecationWarning'); await new Promise((done) => setTimeout(done, 20)); return 1`,
    ],
    [
      'many listeners',
      `for (let i = 0; i < 50; i++) process.on('x', () => {}); await new Promise((done) => setTimeout(done, 20)); return 1`,
    ],
    [
      'the descriptors of the host',
      `const fs = await import('node:fs'); for (let fd = 3; fd < 60; fd++) try { fs.closeSync(fd) } catch {}\nawait new Promise((done) => setTimeout(done, 50)); return 1`,
    ],
    [
      'trace events',
      `const { createTracing } = await import('node:trace_events'); createTracing({ categories: ['node'] }).enable(); return 1`,
    ],
    ['a cluster', `const cluster = (await import('node:cluster')).default; return cluster.isPrimary`],
  ])('%s does not reach the host', async (_title, program) => {
    const end = await host(`
      const { error } = await runOnce(${JSON.stringify(program)}, { maxWallMs: 5000 })
      say(error?.kind ?? 'done')
      say([process.cwd(), process.exitCode ?? 0, process.title !== 'x', (await runOnce('return 1')).value])`)
    expect([end.code, end.signal]).toEqual([0, null])
    expect(end.stderr).toBe('')
    expect(said(end)).toEqual([expect.any(String), [process.cwd(), 0, true, 1]])
  })

  it('a module that is imported leaves no warning in the log', async () => {
    const end = await host(`
      const { logs } = await runOnce("await import('node:fs'); await new Promise((done) => setTimeout(done, 50)); return 1")
      say(logs)`)
    expect(said(end)).toEqual([[]])
    expect(end.stderr).toBe('')
  })

  it('the environment is empty under NODE_V8_COVERAGE too, and for what the program starts', async () => {
    const end = await host(
      `const program = \`
        const { Worker } = await import('node:worker_threads')
        const { execFileSync } = await import('node:child_process')
        const nested = await new Promise((done) => new Worker("require('node:worker_threads').parentPort.postMessage(Object.keys(process.env))", { eval: true }).on('message', done))
        return [Object.keys(process.env), nested, execFileSync('/usr/bin/env').toString()]\`
       say((await runOnce(program)).value)`,
      { env: { NODE_V8_COVERAGE: '/tmp/code-runtime-no-coverage', SECRET: 'x' } },
    )
    expect(said(end)).toEqual([[[], [], '']])
  })

  it('standard input of the host is not read by process.stdin', async () => {
    const end = await host(
      `const { value } = await runOnce('let text = ""; for await (const chunk of process.stdin) text += chunk; return text', { maxWallMs: 3000 })
       say(value)
       process.exit(0)`,
      { stdin: 'a secret of the host\n' },
    )
    expect(said(end)).toEqual([''])
  })
})
