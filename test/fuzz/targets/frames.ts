import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import fc from 'fast-check'
import { type BindingNamespace, type CodeRuntime, createCodeRuntime, type RunResult } from '../../../src/index.js'
import { FakeLauncher, ManualClock } from '../../../src/testing.js'
import type { Language } from '../backends.js'
import { hostileLine } from '../hostile-lines.js'
import { checkResult } from '../invariants.js'
import { closeBackends, openBackends } from '../runtimes.js'
import { SocketLauncher } from '../socket-launcher.js'
import type { Target } from '../target.js'

const BUDGETS = { maxLogBytes: 256, maxValueBytes: 250 }
const CAP_BYTES = 67_108_864
const NEWLINE = 0x0a
const ACKNOWLEDGEMENT = Buffer.from('{"type":"boot-ack"}\n')

const TOOLS: BindingNamespace = {
  global: 'tools',
  functions: {
    echo: (args: unknown) => args,
    fail: () => Promise.reject(new Error('no')),
    odd: () => new Map(),
    ['__proto__']: () => 1,
  },
}

interface Example {
  readonly channel: string
  readonly lines: readonly Uint8Array[]
  /** Where the bytes are cut, in parts of a thousand. */
  readonly cuts: readonly number[]
}

const bytesOf = (lines: readonly Uint8Array[]): Buffer =>
  Buffer.concat(lines.flatMap((line) => [line, Uint8Array.of(NEWLINE)]))

const chunksOf = ({ lines, cuts }: Example): Buffer[] => {
  const bytes = bytesOf(lines)
  const places = [0, ...cuts.map((cut) => Math.floor((cut * bytes.length) / 1_000)).toSorted((a, b) => a - b)]
  return places.map((place, index) => bytes.subarray(place, places[index + 1])).filter(({ length }) => length > 0)
}

/** How each guest gets the lines onto its channel, and ends. */
const PROGRAMS: Readonly<Record<Language, (example: Example) => string>> = {
  typescript: ({ lines }) => `
const { parentPort } = await import('node:worker_threads')
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
for (const line of ${JSON.stringify(lines.map((line) => Buffer.from(line).toString('base64')))}) {
  for (const part of Buffer.from(line, 'base64').toString('latin1').split('\\n')) {
    try { parentPort.postMessage(decoder.decode(Buffer.from(part, 'latin1'))) } catch {}
  }
}
process.exit(0)`,
  python: (example) => `
import base64, os
for chunk in ${JSON.stringify(chunksOf(example).map((chunk) => chunk.toString('base64')))}:
  view = memoryview(base64.b64decode(chunk))
  while view: view = view[os.write(3, view):]
os._exit(0)`,
}

/** What must not depend on the channel. */
const essence = ({ value, error, logs, calls }: RunResult) => ({
  value,
  error,
  logs,
  calls: calls.map(({ id, global, name, argsBytes }) => ({ id, global, name, argsBytes })),
})

/** The same lines, whole and one by one, by no channel at all. */
const runFake = async (example: Example): Promise<RunResult> => {
  const launcher = new FakeLauncher(async (guest) => {
    await guest.transport.sentFrame('boot')
    guest.transport.receiveBytes(ACKNOWLEDGEMENT)
    guest.transport.receiveBytes(bytesOf(example.lines))
    guest.exit({ type: 'exited', code: 0 })
  })
  const adapters = { clock: new ManualClock({ turns: 'real' }) }
  await using runtime = await createCodeRuntime({ launcher, limits: BUDGETS, adapters })
  return await runtime.run({ program: '', bindings: [TOOLS] })
}

const write = async (socket: Socket, chunks: readonly Buffer[]): Promise<void> => {
  for (const chunk of chunks) {
    if (socket.writable) await new Promise((resolve) => socket.write(chunk, resolve))
  }
  socket.destroySoon()
}

const openSockets = async () => {
  const launcher = await new SocketLauncher(CAP_BYTES).listen()
  const runtime = await createCodeRuntime({ launcher, limits: BUDGETS })
  const run = async (example: Example): Promise<RunResult> => {
    const socket = await launcher.connectNext()
    const result = runtime.run({ program: '', bindings: [TOOLS] })
    await write(socket, [ACKNOWLEDGEMENT, ...chunksOf(example)])
    return result
  }
  return { run, runtime }
}

const runProgram = (runtime: CodeRuntime, language: Language) => (example: Example) =>
  runtime.run({ program: PROGRAMS[language](example), bindings: [TOOLS] })

/** A hostile guest's bytes through every real channel, cut anywhere: the same outcome as without a channel. */
export const frames: Target = {
  name: 'frames',
  open: async () => {
    const backends = await openBackends({ limits: BUDGETS })
    const sockets = await openSockets()
    const channels = new Map<string, (example: Example) => Promise<RunResult>>([
      ['socket', sockets.run],
      ...backends.map(({ name, language, runtime }) => [name, runProgram(runtime, language)] as const),
    ])
    const examples = fc.record({
      channel: fc.oneof({ weight: 9, arbitrary: fc.constant('socket') }, fc.constantFrom(...channels.keys())),
      lines: fc.array(hostileLine, { maxLength: 12 }),
      cuts: fc.array(fc.nat(999), { maxLength: 20 }),
    })
    const property = fc.asyncProperty(examples, async (example) => {
      const [result, expected] = await Promise.all([channels.get(example.channel)?.(example), runFake(example)])
      assert.ok(result)
      checkResult(result, BUDGETS)
      assert.deepEqual(essence(result), essence(expected))
    })
    const close = async (): Promise<void> => {
      await Promise.all([closeBackends(backends), sockets.runtime.dispose()])
    }
    return { property, close }
  },
}
