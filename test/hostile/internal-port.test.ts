import { describe, expect, it } from 'vitest'
import { said, useHostProcess } from '../support/host-process.js'

// Node gives each worker a second port for its own traffic; the streams of the process hold it.
const FIND_PORT = `
const { MessagePort } = await import('node:worker_threads')
const portOf = (holder) => holder && Reflect.ownKeys(holder).map((key) => { try { return holder[key] } catch {} }).find((value) => value instanceof MessagePort)
const ports = [process.stdout, process.stderr, process.stdin].map(portOf).filter(Boolean)
`

describe('the port that Node keeps for itself', () => {
  const host = useHostProcess()

  it.each([
    ['an unknown type', `{ type: 'nope' }`],
    ['no object at all', 'null'],
    ['output of a stream that is not there', `{ type: 'stdioPayload', stream: 'nope', chunks: [{ chunk: 'x' }] }`],
    ['output that is no text', `{ type: 'stdioPayload', stream: 'stdout', chunks: [{ chunk: 5 }] }`],
    ['output without chunks', `{ type: 'stdioPayload', stream: 'stdout' }`],
    ['a wish of a stream that is not there', `{ type: 'stdioWantsMoreData', stream: 'nope' }`],
    ['an error of an odd shape', `{ type: 'errorMessage' }`],
  ])('with %s does not reach the host', async (_title, message) => {
    const program = `${FIND_PORT}
      for (const port of ports) port.postMessage(${message})
      await new Promise((done) => setTimeout(done, 100))
      return 'done'`
    const end = await host(`
      const first = await runOnce(${JSON.stringify(program)})
      say([first.value ?? first.error.kind, (await runOnce('return 1')).value])`)
    expect(end.stderr).not.toContain('HOST')
    const [line] = said(end)
    expect(line).toEqual([expect.stringMatching(/^(done|worker-exit|exception)$/), 1])
  })
})
