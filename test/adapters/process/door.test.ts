import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Door, type Role } from '../../../src/adapters/process/fork/door.js'
import { until } from '../../support/processes.js'

const NONCE = '0123456789abcdef'.repeat(2)
const OTHER = 'f'.repeat(32)

let root = ''
let path = ''
let door: Door
let admitted: [Role, string][] = []
const clients: Socket[] = []

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'door-'))
  path = join(root, 'folder', 's')
  admitted = []
  door = new Door(path)
  await door.open()
})

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  await door.close()
  rmSync(root, { recursive: true })
})

const expectFork = (nonce = NONCE): void =>
  door.expect(nonce, (role, socket) => {
    admitted.push([role, nonce])
    socket.on('data', (chunk: Buffer) => socket.write(`echo ${chunk}`))
  })

interface Client {
  readonly socket: Socket
  text(): string
  isClosed(): boolean
}

const arrive = (...pieces: string[]): Client => {
  const socket = connect(path)
  clients.push(socket)
  let text = ''
  let isClosed = false
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    text += chunk
  })
  socket.once('close', () => {
    isClosed = true
  })
  for (const piece of pieces) socket.write(piece)
  return { socket, text: () => text, isClosed: () => isClosed }
}

test('its folder is private', () => {
  expect(statSync(join(root, 'folder')).mode & 0o777).toBe(0o700)
})

test('a fork is let in once for each of its descriptors, and what it says after its hello is kept', async () => {
  expectFork()
  const [channel] = [arrive(`${NONCE}3first`), arrive(`${NONCE}1`), arrive(`${NONCE}2`)]
  await until(() => admitted.length === 3 && channel?.text() === 'echo first', 'all are let in')
  expect(admitted.map(([role]) => role).toSorted()).toEqual([1, 2, 3])
  const late = arrive(`${NONCE}3`)
  await until(late.isClosed, 'the nonce is used up')
  expect(admitted).toHaveLength(3)
})

test('a hello may come byte by byte', async () => {
  expectFork()
  const { socket } = arrive()
  socket.setNoDelay(true)
  for (const byte of `${NONCE}3`) {
    socket.write(byte)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await until(() => admitted.length === 1, 'it is let in')
})

describe('hung up on is', () => {
  test.each([
    ['another nonce', `${OTHER}3`],
    ['no nonce', 'GET / HTTP/1.1\r\nHost: of the socket\r\n\r\n'],
    ['a nonce in capitals', `${NONCE.toUpperCase()}3`],
    ['a descriptor that is none of them', `${NONCE}0`],
    ['a descriptor that is no digit', `${NONCE}x`],
  ])('%s, and the fork comes in all the same', async (_title, hello) => {
    expectFork()
    const stranger = arrive(hello)
    await until(stranger.isClosed, 'it is hung up on')
    expect([stranger.text(), admitted]).toEqual(['', []])
    arrive(`${NONCE}1`)
    await until(() => admitted.length === 1, 'the fork is let in')
  })

  test('the second with the same descriptor', async () => {
    expectFork()
    arrive(`${NONCE}1`)
    await until(() => admitted.length === 1, 'the first is let in')
    const second = arrive(`${NONCE}1`)
    await until(second.isClosed, 'it is hung up on')
    expect(admitted).toEqual([[1, NONCE]])
  })

  test('everybody while no fork is expected', async () => {
    const stranger = arrive(`${NONCE}3`)
    await until(stranger.isClosed, 'it is hung up on')
  })

  test('who said nothing when no fork is expected any more', async () => {
    expectFork()
    const silent = arrive()
    await new Promise((resolve) => silent.socket.once('connect', resolve))
    door.forget(NONCE)
    await until(silent.isClosed, 'it is hung up on')
  })

  test('the oldest of too many who say nothing', async () => {
    expectFork()
    const crowd = Array.from({ length: 300 }, () => arrive())
    await until(() => crowd.filter(({ isClosed }) => isClosed()).length === 44, 'the oldest are hung up on')
    expect(crowd.slice(-200).some(({ isClosed }) => isClosed())).toBe(false)
    arrive(`${NONCE}3`)
    await until(() => admitted.length === 1, 'the fork is let in')
  })
})

describe('it listens anew when a program', () => {
  test.each<[string, () => void]>([
    ['removed the socket', () => rmSync(path)],
    ['moved the socket', () => renameSync(path, join(root, 'elsewhere'))],
    ['put a file in its place', () => [rmSync(path), writeFileSync(path, '')]],
    ['put a folder in its place', () => [rmSync(path), mkdirSync(join(path, 'deep'), { recursive: true })]],
    ['removed its folder', () => rmSync(join(root, 'folder'), { recursive: true })],
    ['removed the socket and opened its folder for all', () => [rmSync(path), chmodSync(join(root, 'folder'), 0o777)]],
  ])('%s', async (_title, act) => {
    expectFork()
    act()
    await door.open()
    expect(statSync(join(root, 'folder')).mode & 0o777).toBe(0o700)
    arrive(`${NONCE}3`)
    await until(() => admitted.length === 1, 'the fork is let in')
  })

  test('nothing: it goes on', async () => {
    const before = statSync(path).ino
    await door.open()
    expect(statSync(path).ino).toBe(before)
  })
})

test('a path that cannot be listened at is told', async () => {
  writeFileSync(join(root, 'file'), '')
  const bad = new Door(join(root, 'file', 's'))
  await expect(bad.open()).rejects.toThrow(/EEXIST|ENOTDIR/)
  await bad.close()
})

test('closing waits for everybody to be gone, and leaves no socket', async () => {
  expectFork()
  const { socket } = arrive(`${NONCE}3`)
  await until(() => admitted.length === 1, 'the fork is let in')
  let isClosed = false
  const closed = door.close().then(() => {
    isClosed = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect([isClosed, existsSync(path)]).toEqual([false, false])
  socket.destroy()
  await closed
})
