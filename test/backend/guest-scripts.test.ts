import { createContext, runInContext } from 'node:vm'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  checkGuestFrame,
  type GuestAgent,
  type GuestEngine,
  type GuestServices,
  readGuestScripts,
} from '../../src/backend.js'
import type { GuestFrame } from '../../src/index.js'
import { turn } from '../support/turn.js'

type NewAgent = (services: GuestServices) => GuestAgent
type NewServices = (engine: GuestEngine) => GuestServices

let scripts: Awaited<ReturnType<typeof readGuestScripts>>
beforeAll(async () => {
  scripts = await readGuestScripts()
})

const BOOT = {
  type: 'boot',
  maxLogBytes: 64,
  maxValueBytes: 200,
  namespaces: [{ global: 'tools', names: ['echo'], errorClass: { name: 'ToolError', memberNameProperty: 'tool' } }],
}

/** The guest of a backend that has two bare realms of an engine, and nothing of Node. */
const startGuest = (program: string, { omit = [] as readonly string[] } = {}) => {
  const frames: GuestFrame[] = []
  const realm = createContext(Object.create(null))
  for (const name of omit) runInContext(`delete ${name}`, realm)
  const createServices = runInContext(scripts.realm, realm) as NewServices
  const createAgent = runInContext(scripts.agent, createContext(Object.create(null))) as NewAgent
  const services = createServices({
    post: (text) => frames.push(checkGuestFrame(JSON.parse(text)) as GuestFrame),
    evaluate: (script) => runInContext(script, realm, { filename: '<model>' }),
    inspect: (value) => `<${typeof value}>`,
  })
  const agent = createAgent(services)
  const receive = (frame: object) => agent.receive(JSON.stringify(frame))
  receive(BOOT)
  receive({ type: 'run', program })
  return { frames, receive, agent }
}

const done = (frames: readonly GuestFrame[]) => frames.find(({ type }) => type === 'done')

describe('the guest scripts', () => {
  it('speak the protocol in bare realms of an engine', async () => {
    const { frames, receive, agent } = startGuest('const got = await tools.echo({ a: [1, "é"] })\nreturn got')
    await turn()
    agent.print('stdout', 'a line\nopen')
    receive({ type: 'reply', id: 0, ok: true, value: { b: null } })
    await turn()
    expect(frames).toEqual([
      { type: 'boot-ack' },
      { type: 'call', id: 0, global: 'tools', name: 'echo', args: { a: [1, 'é'] } },
      { type: 'log', stream: 'stdout', text: 'a line\nopen', open: true },
      { type: 'done', value: { b: null } },
    ])
  })

  it.each<[title: string, program: string, error: object]>([
    [
      'a throw, at the position in the own text',
      'const a = 1\n  throw new RangeError("far")',
      { kind: 'exception', message: expect.stringMatching(/^RangeError: far\n.*<model>:2:9.*\n2 \| {3}throw new/) },
    ],
    ['a text that does not parse', 'let = = 1', { kind: 'exception', message: expect.stringContaining('SyntaxError') }],
    ['what is no error', 'throw { a: 1 }', { kind: 'exception', message: '<object>' }],
    [
      'a lossy completion',
      'return [new Date(0)]',
      { kind: 'invalid-output', message: expect.stringContaining('$[0]') },
    ],
    [
      'a completion over the budget',
      'return "x".repeat(300)',
      { kind: 'output-limit', message: expect.stringContaining('200') },
    ],
    [
      'an undeclared member',
      'tools.ecko()',
      { kind: 'exception', message: expect.stringContaining('tools has no member "ecko". It has: echo') },
    ],
  ])('report %s', async (_title, program, error) => {
    const { frames } = startGuest(program)
    await turn()
    expect(done(frames)).toEqual({ type: 'done', error })
  })

  it('give the site of a rejected call, also without `Error.captureStackTrace`', async () => {
    for (const omit of [[], ['Error.captureStackTrace']]) {
      const { frames, receive } = startGuest('\n\nawait tools.echo()', { omit })
      await turn()
      receive({ type: 'reply', id: 0, ok: false, message: 'refused' })
      await turn()
      expect(done(frames)).toMatchObject({
        error: { message: expect.stringMatching(/ToolError: refused\n.*<model>:3/) },
      })
    }
  })

  it('keep the log within its budget', () => {
    const { frames, agent } = startGuest('await null')
    agent.print('stdout', `${'x'.repeat(100)}\n`)
    expect(frames.filter(({ type }) => type === 'log')).toEqual([
      { type: 'log', stream: 'stdout', text: '', truncated: true },
    ])
  })

  it('are not reached by what the program does to its realm', async () => {
    const { frames } = startGuest(
      `Array.prototype.map = Array.prototype.push = JSON.stringify = () => { throw 1 }\nMap.prototype.get = 5\nPromise.prototype.then = 5\nreturn { a: [1] }`,
    )
    await turn()
    expect(done(frames)).toEqual({ type: 'done', value: { a: [1] } })
  })
})
