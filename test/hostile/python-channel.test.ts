import { describe, expect, test } from 'vitest'
import { NodeProcessControl } from '../../src/adapters/process/process-control.js'
import { said, useHostProcess } from '../support/host-process.js'
import { useOwnTemp } from '../support/processes.js'
import { onEveryPython, runPython, usePython } from '../support/python.js'
import { TOOLS } from '../support/runtimes.js'

useOwnTemp()
const host = useHostProcess()
const LIMITS = { maxWallMs: 25_000, graceMs: 300 }
const MIB = 1_048_576

const CALL = `import json, os, time
def call(id, name='one', owner='tools', args=None):
  return json.dumps({'type': 'call', 'id': id, 'global': owner, 'name': name, 'args': args}).encode() + b'\\n'
def write(data):
  view = memoryview(data)
  while view: view = view[os.write(3, view):]
`

onEveryPython((python) => {
  const run = usePython({ ...python, limits: LIMITS })

  describe('a frame', () => {
    test.each([
      ['of 65 MiB', `write(b'x' * (65 << 20))\ntime.sleep(60)`],
      ['of 64 MiB and four bytes', `write(b'x' * (64 << 20))\nwrite(b'AAAA\\n')\ntime.sleep(60)`],
      ['that grows by 8 MiB a write', `while True: write(b'x' * (8 << 20))`],
      ['of 72 MiB without an end', `write(b'x' * (72 << 20))\ntime.sleep(60)`],
      [
        'of 16,384 pieces of 4 KiB and some more',
        `for _ in range(16384): write(b'x' * 4096)\nwrite(b'x' * 12289 + b'\\n')\nwrite(b'{"type":"log","text":"after"}\\n')\ntime.sleep(60)`,
      ],
    ])('%s ends the run', async (_title, act) => {
      const { error, logs, usage } = await run(`${CALL}\n${act}`)
      expect([error?.kind, error?.message, logs]).toEqual(['worker-exit', expect.stringContaining('67108864'), []])
      expect(usage.wallMs).toBeLessThan(20_000)
    })

    test('of exactly 64 MiB is a frame like any other', async () => {
      const program = `${CALL}
start, end = b'{"type":"log","text":"x","pad":"', b'"}'
write(start + b'p' * ((64 << 20) - len(start) - len(end)) + end + b'\\n')
return 1`
      expect(await run(program)).toMatchObject({ value: 1, logs: ['x'] })
    })

    test('of 60,000 writes of one byte costs little', async () => {
      const end = await host(
        `
const runtime = await createCodeRuntime(${JSON.stringify(python)})
await runtime.run({ program: 'return 1' })
gc()
const before = process.memoryUsage()
const { value, logs } = await runtime.run({ program: "import os\\nfor _ in range(60000): os.write(3, b'x')\\nos.write(3, b'\\\\n')\\nprint('after')\\nreturn 1" })
let grown = Infinity
// What the guest holds goes when it has ended, shortly after its run.
for (let round = 0; round < 200 && !(grown < 262_144); round += 1) {
  await new Promise((resolve) => setTimeout(resolve, 10))
  gc()
  const after = process.memoryUsage()
  grown = after.external + after.arrayBuffers - before.external - before.arrayBuffers
}
say([value, logs, grown])
await runtime.dispose()`,
        { nodeArgs: ['--expose-gc'] },
      )
      const [[value, logs, grown]] = said(end) as [[number, string[], number]]
      expect([value, logs]).toEqual([1, ['after']])
      expect(grown).toBeLessThan(262_144)
    })

    test.each([
      ['illegal UTF-8', `write(b'{"type":"done","value":"\\xff"}\\n{"type":"done","value":"\\xed\\xa0\\x80"}\\n')`],
      ['no JSON', `write(b'nonsense\\n{"type":\\n\\x00\\n')`],
      ['of no known type', `write(b'{"type":"nope"}\\n[]\\nnull\\n5\\n"done"\\n{}\\n')`],
      [
        'with wrong fields',
        `write(b'{"type":"done","error":{"kind":"exception","message":5}}\\n{"type":"done","error":{"kind":"timeout","message":"x"}}\\n')`,
      ],
      [
        'a number that no double holds',
        `write(call(9007199254740993) + b'{"type":"call","id":0,"global":"tools","name":"one","args":9007199254740993}\\n')`,
      ],
      [
        'an id that is none',
        `write(b'{"type":"call","id":NaN,"global":"tools","name":"one","args":1}\\n' + call(-1) + call(0.5) + call('0') + call(1e300))`,
      ],
      ['a boot-ack', `write(b'{"type":"boot-ack"}\\n' * 100)`],
      ['an empty line', `write(b'\\n' * 100000)`],
    ])('that is %s is dropped', async (_title, act) => {
      const result = await run(`${CALL}\n${act}\nreturn await tools.one()`, { tools: TOOLS })
      expect([result.value, result.calls.length, result.error]).toEqual([1, 1, undefined])
    })

    test('of 8 MiB for a name, with a wrong id, costs the next call nothing', async () => {
      const program = `${CALL}\nwrite(call(5, 'n' * (8 << 20)))\nreturn await tools.one()`
      expect(await run(program, { tools: TOOLS })).toMatchObject({ value: 1 })
    })

    test('done with a value and an error is an error', async () => {
      const { error } = await run(
        `${CALL}\nwrite(b'{"type":"done","value":1,"error":{"kind":"exception","message":"no"}}\\n')\ntime.sleep(60)`,
      )
      expect(error).toEqual({ kind: 'exception', message: 'no' })
    })

    test('done with nothing is a success without value, at once', async () => {
      const result = await run(`${CALL}\nwrite(b'{"type":"done"}\\n')\ntime.sleep(60)`)
      expect([result.error, 'value' in result, result.usage.wallMs < 5_000]).toEqual([undefined, false, true])
    })

    test('done of 20,000 levels is over the budget', async () => {
      const program = `${CALL}\nwrite(b'{"type":"done","value":' + b'[' * 20000 + b']' * 20000 + b'}\\n')\ntime.sleep(60)`
      const { error } = await runPython(program, { ...python, limits: { maxValueBytes: 4_096 } })
      expect(error?.kind).toBe('output-limit')
    })
  })

  describe('calls', () => {
    test.each([
      [
        '5,000 of a binding that never answers',
        'hang',
        'for id in range(5000): write(call(id, "hang"))\ntime.sleep(60)',
      ],
      ['5,000 whose replies are never read', 'big', 'for id in range(5000): write(call(id, "big"))\ntime.sleep(60)'],
      [
        '1,025 in one write, and nothing after',
        'hang',
        'write(b"".join(call(id, "hang") for id in range(1025)))\ntime.sleep(60)',
      ],
      [
        '1,025 in one write, and a completion',
        'hang',
        `write(b"".join(call(id, "hang") for id in range(1025)) + b'{"type":"done","value":1}\\n')\ntime.sleep(60)`,
      ],
    ])('%s end the run', async (_title, _name, act) => {
      const tools = { ...TOOLS, big: () => 'x'.repeat(100_000) }
      const { error, usage } = await run(`${CALL}\n${act}`, { tools })
      expect([error?.kind, error?.message]).toEqual(['worker-exit', expect.stringContaining('1024')])
      expect(usage.wallMs).toBeLessThan(20_000)
    })

    test('1,024 that never answer are fine', async () => {
      const program = `import asyncio\ntasks = [asyncio.ensure_future(tools.hang()) for _ in range(1024)]\nawait asyncio.sleep(0.5)\nreturn len(tasks)`
      expect(await run(program, { tools: TOOLS })).toMatchObject({ value: 1_024 })
    })

    test('a program that reads the channel itself gets every reply of 65 KiB', async () => {
      const program = `${CALL}
count, rest = 0, b''
def read_until(wanted):
  global count, rest
  while count < wanted:
    rest += os.read(3, 1 << 20)
    count += rest.count(b'\\n')
    rest = rest[rest.rfind(b'\\n') + 1:]
write(b''.join(call(id, 'big') for id in range(1000)))
read_until(500)
write(b''.join(call(id, 'big') for id in range(1000, 1500)))
read_until(1500)
write(b'{"type":"done","value":%d}\\n' % count)
time.sleep(60)`
      expect(await run(program, { tools: { big: () => 'x'.repeat(66_560) } })).toMatchObject({ value: 1_500 })
    })

    test('a right id that was forged is spent', async () => {
      const program = `${CALL}\nwrite(call(0, 'hang'))\nreturn await tools.echo(1)`
      const result = await runPython(
        program,
        { ...python, limits: { maxWallMs: 1_000, graceMs: 300 } },
        { tools: TOOLS },
      )
      expect([result.error?.kind, result.calls.map(({ name }) => name)]).toEqual(['timeout', ['hang']])
    })
  })

  describe('replies are paced', () => {
    /** Notes how many texts were given to the channel and not taken yet, and their bytes. */
    class Watching extends NodeProcessControl {
      mostWaiting = 0
      mostBytes = 0
      override spawn(command: Parameters<NodeProcessControl['spawn']>[0]) {
        const spawned = super.spawn(command)
        const send = spawned.channel.send.bind(spawned.channel)
        let waiting = 0
        let bytes = 0
        spawned.channel.send = (text, sent) => {
          waiting += 1
          bytes += text.length
          this.mostWaiting = Math.max(this.mostWaiting, waiting)
          this.mostBytes = Math.max(this.mostBytes, bytes)
          send(text, (failure) => {
            waiting -= 1
            bytes -= text.length
            sent(failure)
          })
        }
        return spawned
      }
    }

    test('eight of 4 MiB at once wait for each other', async () => {
      const processControl = new Watching()
      const program = `import asyncio\nreturn [len(x) for x in await asyncio.gather(*(tools.big() for _ in range(8)))]`
      const tools = { big: () => 'x'.repeat(4 * MIB) }
      const { value } = await runPython(program, { ...python, adapters: { processControl } }, { tools })
      expect(value).toEqual(Array(8).fill(4 * MIB))
      expect([processControl.mostWaiting, processControl.mostBytes < 4.1 * MIB]).toEqual([1, true])
    })

    test('a guest that never reads costs the host one of them', async () => {
      const end = await host(
        `
const runtime = await createCodeRuntime({ ...${JSON.stringify(python)}, limits: { maxWallMs: 1500, graceMs: 200 } })
await runtime.run({ program: 'return 1' })
gc()
const before = process.memoryUsage()
let most = 0
const timer = setInterval(() => { gc(); const now = process.memoryUsage(); most = Math.max(most, now.heapUsed + now.external - before.heapUsed - before.external) }, 100)
const big = 'x'.repeat(4 << 20)
const { error, calls } = await runtime.run({
  program: ${JSON.stringify(`${CALL}\nwrite(b''.join(call(id, 'big') for id in range(8)))\ntime.sleep(60)`)},
  bindings: [{ global: 'tools', functions: { big: () => big } }],
})
clearInterval(timer)
say([error.kind, calls.length, most])
await runtime.dispose()`,
        { nodeArgs: ['--expose-gc'] },
      )
      const [[kind, calls, most]] = said(end) as [[string, number, number]]
      expect([kind, calls]).toEqual(['timeout', 8])
      expect(most).toBeLessThan(24 * MIB)
    })
  })

  describe('the host lives through', () => {
    test.each([
      ['a channel closed at once', 'import os\nos.close(3)\nimport time\ntime.sleep(0.2)'],
      [
        'a channel shut for reading',
        `import socket\nsocket.socket(fileno=os.dup(3)).shutdown(socket.SHUT_RD)\nawait tools.echo('x' * 1000000)`,
      ],
      [
        'a channel shut for writing',
        `import socket\nsocket.socket(fileno=os.dup(3)).shutdown(socket.SHUT_WR)\ntime.sleep(0.2)`,
      ],
      ['a death amid replies', `write(b''.join(call(id, 'big') for id in range(100)))\nos.read(3, 10)\nos._exit(4)`],
      ['a death amid a frame', `write(b'{"type":"log","text":"' + b'x' * 1000000)\nos._exit(4)`],
      [
        'descriptors sent along',
        `import socket\ns = socket.socket(fileno=os.dup(3))\nfor _ in range(100): socket.send_fds(s, [b'\\n'], [0, 1, 2])\nos._exit(4)`,
      ],
      [
        'streams turned into something else',
        `os.dup2(3, 1)\nos.dup2(3, 2)\nprint('x', flush=True)\nos.write(1, b'y\\n')\nos._exit(4)`,
      ],
      [
        'a stream that is reset',
        `import socket\nfor fd in (1, 2): socket.socket(fileno=os.dup(fd)).shutdown(socket.SHUT_RDWR)\nos._exit(4)`,
      ],
    ])('%s', async (_title, act) => {
      const tools = { ...TOOLS, big: () => 'x'.repeat(1_000_000) }
      const { error } = await run(`${CALL}\n${act}`, { tools })
      expect([undefined, 'worker-exit', 'exception']).toContain(error?.kind)
      expect((await run('return 1')).value).toBe(1)
    })
  })
})
