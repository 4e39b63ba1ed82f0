/**
 * What the soak runs: programs that behave, that fail, and that do their worst. `ends` is how each must end, one way or
 * one of several on a slow machine: the kind of its failure, or 'value'.
 */

const tenKilobytes = 'x'.repeat(10_000)

export const PROGRAMS = {
  typescript: [
    { name: 'returns', ends: 'value', program: 'return { n: 1, list: [1, 2, 3] }' },
    { name: 'has types', ends: 'value', program: 'enum A { B = 3 } const n: number = A.B; return n' },
    {
      name: 'calls',
      ends: 'value',
      program:
        'const all = await Promise.all(Array.from({ length: 50 }, (_, n) => tools.echo({ n }))); return all.length',
    },
    { name: 'calls in vain', ends: 'value', program: 'try { await tools.fail() } catch (e) { return e.name }' },
    {
      name: 'moves much',
      ends: 'value',
      program: `return (await tools.echo({ s: '${tenKilobytes}'.repeat(50) })).s.length`,
    },
    { name: 'prints a flood', ends: 'value', program: 'for (let i = 0; i < 20_000; i++) console.log(i); return 1' },
    { name: 'throws', ends: 'exception', program: `throw new TypeError('no')` },
    { name: 'does not parse', ends: 'exception', program: 'return (' },
    { name: 'exits', ends: 'worker-exit', program: 'process.exit(3)' },
    { name: 'loops', ends: 'timeout', program: 'for (;;) {}' },
    { name: 'never ends', ends: 'timeout', program: 'await new Promise(() => {})' },
    { name: 'never gets its answer', ends: 'timeout', program: 'await tools.hang()' },
    { name: 'is aborted', ends: 'abort', aborts: true, program: 'await tools.hang()' },
    { name: 'returns what cannot cross', ends: 'invalid-output', program: 'return new Map()' },
    { name: 'returns too much', ends: 'output-limit', program: `return 'x'.repeat(2_000_000)` },
    {
      name: 'forges frames',
      ends: 'value',
      program: `const { parentPort } = await import('node:worker_threads')
for (const frame of ['{', '{"type":"call","id":7}', '{"type":"boot-ack"}', 'x'.repeat(100_000)]) parentPort.postMessage(frame)
return 1`,
    },
    {
      name: 'answers for itself',
      ends: 'exception',
      program: `const { parentPort } = await import('node:worker_threads')
parentPort.postMessage('{"type":"done","value":1,"error":{"kind":"exception","message":"both"}}')
await new Promise(() => {})`,
    },
    {
      name: 'leaves timers behind',
      ends: 'value',
      program: 'setInterval(() => {}, 1); setTimeout(() => { throw 1 }, 5); return 1',
    },
    {
      name: 'hoards',
      ends: 'worker-exit',
      program: 'const hoard = []; for (;;) hoard.push(new Array(10_000).fill(1.5))',
    },
  ],
  python: [
    { name: 'returns', ends: 'value', program: 'return {"n": 1, "list": [1, 2, 3]}' },
    {
      name: 'calls',
      ends: 'value',
      program: 'import asyncio\nreturn len(await asyncio.gather(*[tools.echo(n=n) for n in range(50)]))',
    },
    {
      name: 'calls in vain',
      ends: 'value',
      program: 'try:\n    await tools.fail()\nexcept RuntimeError as e:\n    return str(e)',
    },
    { name: 'moves much', ends: 'value', program: `return len((await tools.echo(s="${tenKilobytes}" * 50))["s"])` },
    { name: 'prints a flood', ends: 'value', program: 'for i in range(20_000):\n    print(i)\nreturn 1' },
    { name: 'raises', ends: 'exception', program: 'raise ValueError("no")' },
    { name: 'does not parse', ends: 'exception', program: 'return (' },
    { name: 'exits', ends: 'worker-exit', program: 'import os\nos._exit(3)' },
    { name: 'dies', ends: 'worker-exit', program: 'import os\nos.kill(os.getpid(), 9)' },
    { name: 'loops', ends: 'timeout', program: 'while True: pass' },
    { name: 'never gets its answer', ends: 'timeout', program: 'await tools.hang()' },
    { name: 'is aborted', ends: 'abort', aborts: true, program: 'await tools.hang()' },
    { name: 'returns what cannot cross', ends: 'invalid-output', program: 'return {1, 2}' },
    { name: 'returns too much', ends: 'output-limit', program: 'return "x" * 2_000_000' },
    {
      name: 'forges frames',
      ends: 'value',
      program:
        'import os\nos.write(3, b"{\\n\\xff\\n{\\"type\\":\\"call\\",\\"id\\":7}\\n" + b"x" * 50_000 + b"\\n")\nreturn 1',
    },
    {
      name: 'leaves a daemon behind',
      ends: 'value',
      program: `import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)
return 1`,
    },
    {
      name: 'leaves subprocesses behind',
      ends: 'value',
      program:
        'import subprocess\n[subprocess.Popen(["/bin/sleep", "600"], start_new_session=n == 1) for n in range(3)]\nreturn 1',
    },
    { name: 'hoards', ends: 'exception', program: 'hoard = []\nwhile True:\n    hoard.append(bytearray(10_000_000))' },
    { name: 'stops itself', ends: 'timeout', program: 'import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)' },
  ],
}

export const TOOLS = {
  echo: async (value) => value,
  fail: async () => {
    throw new Error('refused')
  },
  hang: () => new Promise(() => {}),
}
