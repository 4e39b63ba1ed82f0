import { deepStrictEqual, ok } from 'node:assert'
import type { CallRecord, RunEvent } from '../../../domain/outcome.js'
import type { ConformanceCase } from '../case.js'
import { ABSENT, hasShape } from '../check.js'
import { gives } from '../expectations.js'
import { RETURN_1 } from '../forging.js'

const isTime = (value: unknown): boolean => typeof value === 'number' && value >= 0
const isBetween = (least: number, most: number) => (value: number) => value > least && value < most

const CALLS: readonly ConformanceCase[] = [
  {
    section: '13.1',
    title: 'calls are told in the order the host received them',
    programs: {
      javascript: `const hang = tools.hang(); try { await tools.fail({ é: 1 }) } catch {} ; await tools.echo([1, 'é']); throw new Error('x')`,
      python: `import asyncio\nhang = asyncio.ensure_future(tools.hang())\nawait asyncio.sleep(0)\ntry:\n  await tools.fail({"é": 1})\nexcept RuntimeError: pass\nawait tools.echo([1, 'é'])\nraise ValueError('x')`,
    },
    run: async ({ run }) => {
      const { calls, error, usage } = await run()
      hasShape(error?.kind, 'exception')
      const record = { global: 'tools', startMs: isTime, durationMs: isTime, error: ABSENT }
      hasShape(calls, [
        { ...record, id: 0, name: 'hang', state: 'running', durationMs: null, argsBytes: 2, replyBytes: null },
        { ...record, id: 1, name: 'fail', state: 'failed', argsBytes: 8, replyBytes: 18, error: 'the host refused' },
        { ...record, id: 2, name: 'echo', state: 'succeeded', argsBytes: 8, replyBytes: 8 },
      ])
      const starts = calls.map(({ startMs }) => startMs)
      deepStrictEqual(
        starts,
        starts.toSorted((a, b) => a - b),
      )
      ok(Math.max(...starts) <= usage.wallMs, 'they start within the run')
    },
  },
  {
    section: '13.1',
    title: 'the duration of a call counts from its dispatch',
    programs: { javascript: 'await tools.slow()', python: 'await tools.slow()' },
    run: gives(
      { calls: [{ durationMs: (ms: number) => ms >= 98 }] },
      { tools: { slow: () => new Promise((done) => setTimeout(done, 100, null)) } },
    ),
  },
]

const USAGE: readonly ConformanceCase[] = [
  {
    section: '13.2',
    title: 'usage counts frames in both directions',
    programs: {
      javascript: `return await tools.echo('x'.repeat(100000))`,
      python: `return await tools.echo('x' * 100000)`,
    },
    run: gives({
      usage: { bindingCalls: 1, bytesIn: isBetween(200_000, 201_000), bytesOut: isBetween(100_000, 102_000) },
    }),
  },
  {
    section: '13.2',
    title: 'usage invents no figure',
    programs: {
      javascript: 'const end = Date.now() + 300; while (Date.now() < end) {} return 1',
      python: 'import time\nend = time.time() + 0.3\nwhile time.time() < end: pass\nreturn 1',
    },
    run: async ({ run, declared }) => {
      const { usage } = await run()
      deepStrictEqual(Object.keys(usage).toSorted(), [
        'bindingCalls',
        'bytesIn',
        'bytesOut',
        'cpuMs',
        'peakMemoryBytes',
        'wallMs',
      ])
      ok(usage.wallMs >= 299, `wallMs is ${usage.wallMs}`)
      if (usage.cpuMs !== null) ok(usage.cpuMs > 10, `cpuMs is ${usage.cpuMs}`)
      else ok(!declared.has('cpu-usage'), 'cpuMs is measured, as declared')
    },
  },
  {
    section: '13.2',
    title: 'the usage of a run that never had a guest is nothing',
    programs: RETURN_1,
    run: gives(
      { usage: { cpuMs: null, peakMemoryBytes: null, bindingCalls: 0, bytesIn: 0, bytesOut: 0 } },
      { signal: AbortSignal.abort() },
    ),
  },
]

const shown = (event: RunEvent): string => {
  if (event.type === 'state') return event.state
  if (event.type === 'log') return `${event.stream}:${event.text}${event.open ? '…' : ''}`
  return `${event.type}:${event.call.state}`
}

const EVENTS: readonly ConformanceCase[] = [
  {
    section: '13.3',
    title: 'events come in order, calls and logs between the states',
    programs: {
      javascript: `console.log('a'); console.log(await tools.echo(1)); return 2`,
      python: `import sys\nsys.stdout.write('a\\n')\nsys.stdout.write(f'{await tools.echo(1)}\\n')\nreturn 2`,
    },
    run: async ({ run }) => {
      const heard: string[] = []
      await run({ onEvent: (event) => heard.push(shown(event)) })
      deepStrictEqual(heard, [
        'waiting',
        'starting',
        'running',
        'stdout:a',
        'call-start:running',
        'call-end:succeeded',
        'stdout:1',
        'settling',
        'done',
      ])
    },
  },
  {
    section: '13.3',
    title: 'events tell the stream, and a line that is open',
    programs: {
      javascript: `process.stdout.write('b'); process.stderr.write('e\\n'); console.log(await tools.echo(1)); return 2`,
      python: `import sys\nprint('b', end='', flush=True)\nsys.stderr.write('e\\n')\nsys.stdout.write(f'{await tools.echo(1)}\\n')\nreturn 2`,
    },
    requires: ['streams'],
    run: async ({ run }) => {
      const heard: string[] = []
      const { logs } = await run({ onEvent: (event) => event.type === 'log' && heard.push(shown(event)) })
      // A line and its newline may come one after the other.
      hasShape(heard.includes('stdout:b…') && heard.some((text) => text.startsWith('stderr:e')), true)
      deepStrictEqual(logs, ['b1', 'e'])
    },
  },
  {
    section: '13.3',
    title: 'events hold copies: a listener cannot change the account',
    programs: { javascript: 'return await tools.echo(1)', python: 'return await tools.echo(1)' },
    run: gives(
      { calls: [{ id: 0, name: 'echo' }] },
      {
        onEvent: (event) => 'call' in event && Object.assign(event.call as CallRecord, { name: 'changed', id: 9 }),
      },
    ),
  },
  {
    section: '13.3',
    title: 'a listener that throws or rejects is contained',
    programs: {
      javascript: `console.log('a'); return await tools.echo(1)`,
      python: `print('a')\nreturn await tools.echo(1)`,
    },
    run: async ({ run }) => {
      const throwing = await run({
        onEvent: () => {
          throw new Error('listener')
        },
      })
      const rejecting = await run({ onEvent: (async () => Promise.reject(new Error('listener'))) as never })
      hasShape(
        [throwing, rejecting],
        [
          { value: 1, logs: ['a'] },
          { value: 1, logs: ['a'] },
        ],
      )
    },
  },
  {
    section: '13.3',
    title: 'the marker is heard too',
    programs: { javascript: `console.log('x'.repeat(100))`, python: `print('x' * 100)` },
    limits: { maxLogBytes: 64 },
    run: async ({ run }) => {
      const heard: string[] = []
      const { logs } = await run({ onEvent: (event) => event.type === 'log' && heard.push(event.text) })
      deepStrictEqual([heard, heard.length], [logs, 1])
    },
  },
]

export const ACCOUNT_CASES: readonly ConformanceCase[] = [...CALLS, ...USAGE, ...EVENTS]
