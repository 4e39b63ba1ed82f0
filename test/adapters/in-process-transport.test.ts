import { beforeEach, describe, expect, it } from 'vitest'
import { InProcessTransport } from '../../src/adapters/in-process-transport.js'
import { turn } from '../support/turn.js'

let transport: InProcessTransport
let toHost: unknown[]
let toGuest: string[]

beforeEach(() => {
  transport = new InProcessTransport(8)
  toHost = []
  toGuest = []
  transport.open({
    frame: (text, bytes) => toHost.push([text, bytes]),
    overflow: (capBytes) => toHost.push(`over ${capBytes}`),
  })
})

const listen = (): void => transport.listen((text) => toGuest.push(text))

describe('what the guest posts', () => {
  it('is delivered at once, with its bytes', () => {
    transport.post('"é"')
    expect(toHost).toEqual([['"é"', 4]])
  })

  it.each([
    ['characters', 'x'.repeat(9)],
    ['bytes', 'é'.repeat(5)],
  ])('is over the cap by its %s: nothing more is delivered', (_title, text) => {
    transport.post(text)
    transport.post('x')
    expect(toHost).toEqual(['over 8'])
  })

  it('of exactly the cap is a frame', () => {
    transport.post('é'.repeat(4))
    expect(toHost).toEqual([['éééé', 8]])
  })
})

describe('what the host sends', () => {
  it('waits until the guest listens', async () => {
    const sent: string[] = []
    transport.send('a', () => sent.push('a'))
    await turn()
    expect([toGuest, sent]).toEqual([[], []])
    listen()
    await turn()
    expect([toGuest, sent]).toEqual([['a'], ['a']])
  })

  it('comes one text in a turn, in order, and never inside `send`', async () => {
    listen()
    for (const text of ['a', 'b', 'c']) transport.send(text, () => {})
    expect(toGuest).toEqual([])
    await turn()
    expect(toGuest).toEqual(['a'])
    await turn()
    await turn()
    expect(toGuest).toEqual(['a', 'b', 'c'])
  })

  it('is taken when the guest has done with it', async () => {
    const order: string[] = []
    transport.listen(() => order.push('guest'))
    transport.send('a', () => order.push('sent'))
    await turn()
    expect(order).toEqual(['guest', 'sent'])
  })
})

describe('after it was closed', () => {
  it('nothing is delivered in either direction', async () => {
    listen()
    const sent: string[] = []
    transport.send('a', () => sent.push('a'))
    transport.close()
    transport.close()
    transport.send('b', () => sent.push('b'))
    transport.post('c')
    listen()
    await turn()
    expect([toHost, toGuest, sent]).toEqual([[], [], []])
  })

  it('by what the guest does with a text, that text is not reported as sent', async () => {
    const sent: string[] = []
    transport.listen(() => transport.close())
    transport.send('a', () => sent.push('a'))
    await turn()
    expect(sent).toEqual([])
  })
})
