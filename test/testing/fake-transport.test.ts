import { describe, expect, test } from 'vitest'
import { FakeTransport } from '../../src/testing.js'
import { soon } from '../support/turn.js'

const RUN = '{"type":"run","program":"return 1"}'

const opened = (capBytes?: number) => {
  const transport = new FakeTransport(capBytes)
  const received: unknown[][] = []
  transport.open({
    frame: (...args) => received.push(args),
    overflow: (capBytes) => received.push(['overflow', capBytes]),
  })
  return { transport, received }
}

test('what the host sent is there as text and parsed, and the channel took it', () => {
  const { transport } = opened()
  const taken: unknown[] = []
  transport.send(RUN, (failure) => taken.push(failure))
  expect(transport.sentTexts).toEqual([RUN])
  expect(transport.sent).toEqual([{ type: 'run', program: 'return 1' }])
  expect(taken).toEqual([undefined])
})

test('what the guest sends arrives with its bytes', () => {
  const { transport, received } = opened()
  transport.receive({ type: 'log', text: 'é' })
  transport.receiveText('AAAA')
  transport.overflow(100)
  expect(received).toEqual([
    ['{"type":"log","text":"é"}', 26],
    ['AAAA', 4],
    ['overflow', 100],
  ])
})

describe('raw bytes', () => {
  test.each([1, 2, 7, 1_000])('in chunks of %i arrive as whole lines; half a line waits for its rest', (chunkBytes) => {
    const { transport, received } = opened()
    transport.receiveBytes('{"text":"é"}\n\nnext\nha', { chunkBytes })
    expect(received).toEqual([
      ['{"text":"é"}', 13],
      ['next', 4],
    ])
    transport.receiveBytes('lf\n')
    expect(received.at(-1)).toEqual(['half', 4])
  })

  test('that are no UTF-8 are no frame', () => {
    const { transport, received } = opened()
    transport.receiveBytes(Uint8Array.of(0x61, 0xff, 0x0a, 0x62, 0x0a))
    expect(received).toEqual([['b', 1]])
  })

  test('over the cap of a line are told once', () => {
    const { transport, received } = opened(3)
    transport.receiveBytes('abc\nabcd\nabc\n')
    expect(received).toEqual([
      ['abc', 3],
      ['overflow', 3],
    ])
  })
})

test('who listens hears what is sent, until he stops', () => {
  const { transport } = opened()
  const heard: unknown[] = []
  const stop = transport.onSent((frame) => heard.push(frame))
  transport.send(RUN, () => {})
  stop()
  transport.send(RUN, () => {})
  expect(heard).toEqual([{ type: 'run', program: 'return 1' }])
})

test('nothing arrives before the channel is opened, nor after it is closed', () => {
  new FakeTransport().receiveText('early')
  const { transport, received } = opened()
  transport.close()
  transport.close()
  transport.receive({ type: 'boot-ack' })
  transport.overflow(100)
  expect(transport.isClosed).toBe(true)
  expect(received).toEqual([])
})

test('a closed channel takes nothing, and says nothing about it', () => {
  const { transport } = opened()
  transport.pause()
  const taken: string[] = []
  transport.send('first', () => taken.push('first'))
  transport.close()
  transport.send('second', () => taken.push('second'))
  transport.drain(true)
  expect(transport.sentTexts).toEqual(['first'])
  expect(taken).toEqual([])
})

test('a channel that fails tells why and sends nothing', () => {
  const { transport } = opened()
  transport.failure = new Error('EPIPE')
  const taken: unknown[] = []
  transport.send(RUN, (failure) => taken.push(failure))
  expect(taken).toEqual([transport.failure])
  expect(transport.sentTexts).toEqual([])
})

test('a full channel takes one text for each drain, and all of them when it is drained for good', () => {
  const { transport } = opened()
  transport.pause()
  const taken: string[] = []
  for (const text of ['a', 'b', 'c', 'd']) transport.send(text, () => taken.push(text))
  expect(taken).toEqual([])
  transport.drain()
  expect(taken).toEqual(['a'])
  transport.drain(true)
  expect(taken).toEqual(['a', 'b', 'c', 'd'])
  transport.send('e', () => taken.push('e'))
  expect(taken).toHaveLength(5)
})

test('a sent frame can be waited for, whether it was sent before or is sent later', async () => {
  const { transport } = opened()
  const waiting = transport.sentFrame('run')
  transport.send('{"type":"boot","namespaces":[]}', () => {})
  expect(await soon(waiting)).toBe('still pending')
  transport.send(RUN, () => {})
  expect(await waiting).toEqual({ type: 'run', program: 'return 1' })
  expect(await transport.sentFrame('run')).toEqual({ type: 'run', program: 'return 1' })
})
