import { describe, expect, it } from 'vitest'
import type { RunEvent } from '../../src/index.js'
import { TOOLS } from '../support/runtimes.js'
import { onEveryBackend } from './backends.js'

onEveryBackend((backend) => {
  const run = backend.use({ maxWallMs: 10_000 })

  backend.it(
    'calls are told in the order the host received them',
    {
      typescript: `const hang = tools.hang(); try { await tools.fail({ é: 1 }) } catch {} ; await tools.echo([1, 'é']); throw new Error('x')`,
      python: `import asyncio\nhang = asyncio.ensure_future(tools.hang())\nawait asyncio.sleep(0)\ntry:\n  await tools.fail({"é": 1})\nexcept RuntimeError: pass\nawait tools.echo([1, 'é'])\nraise ValueError('x')`,
    },
    async (program) => {
      const { calls, error, usage } = await run(program, { tools: TOOLS })
      expect(error?.kind).toBe('exception')
      const time = expect.any(Number)
      expect(calls).toEqual([
        {
          id: 0,
          global: 'tools',
          name: 'hang',
          state: 'running',
          startMs: time,
          durationMs: null,
          argsBytes: 2,
          replyBytes: null,
        },
        {
          id: 1,
          global: 'tools',
          name: 'fail',
          state: 'failed',
          startMs: time,
          durationMs: time,
          argsBytes: 8,
          replyBytes: 18,
          error: 'the host refused',
        },
        {
          id: 2,
          global: 'tools',
          name: 'echo',
          state: 'succeeded',
          startMs: time,
          durationMs: time,
          argsBytes: 8,
          replyBytes: 8,
        },
      ])
      const starts = calls.map(({ startMs }) => startMs)
      expect(starts).toEqual(starts.toSorted((a, b) => a - b))
      expect(Math.min(...starts)).toBeGreaterThan(0)
      expect(Math.max(...starts)).toBeLessThanOrEqual(usage.wallMs)
    },
  )

  backend.it(
    'durations count from the dispatch',
    { typescript: 'await tools.slow()', python: 'await tools.slow()' },
    async (program) => {
      const { calls } = await run(program, {
        tools: { slow: () => new Promise((done) => setTimeout(done, 100, null)) },
      })
      expect(calls[0]?.durationMs).toBeGreaterThanOrEqual(98)
    },
  )

  describe('usage', () => {
    backend.it(
      'counts frames in both directions',
      { typescript: `return await tools.echo('x'.repeat(100000))`, python: `return await tools.echo('x' * 100000)` },
      async (program) => {
        const { usage } = await run(program, { tools: TOOLS })
        expect(usage.bindingCalls).toBe(1)
        expect(usage.bytesIn).toBeGreaterThan(200_000)
        expect(usage.bytesIn).toBeLessThan(201_000)
        expect(usage.bytesOut).toBeGreaterThan(100_000)
        expect(usage.bytesOut).toBeLessThan(102_000)
      },
    )

    backend.it(
      'invents no figure',
      {
        typescript: 'const end = Date.now() + 300; while (Date.now() < end) {} return 1',
        python: 'import time\nend = time.time() + 0.3\nwhile time.time() < end: pass\nreturn 1',
      },
      async (program) => {
        const { usage } = await run(program)
        expect(Object.keys(usage).toSorted()).toEqual([
          'bindingCalls',
          'bytesIn',
          'bytesOut',
          'cpuMs',
          'peakMemoryBytes',
          'wallMs',
        ])
        expect(usage.wallMs).toBeGreaterThanOrEqual(299)
        if (usage.cpuMs !== null) expect(usage.cpuMs).toBeGreaterThan(100)
        if (process.platform === 'linux') expect(usage.cpuMs).not.toBeNull()
      },
    )

    it('of a run that never had a guest', async () => {
      const { usage } = await run('return 1', { signal: AbortSignal.abort() })
      expect(usage).toMatchObject({ cpuMs: null, peakMemoryBytes: null, bindingCalls: 0, bytesIn: 0, bytesOut: 0 })
    })
  })

  describe('live events', () => {
    backend.it(
      'come in order, calls and logs between the states',
      {
        typescript: `console.log('a'); process.stdout.write('b'); process.stderr.write('e\\n'); console.log(await tools.echo(1)); return 2`,
        python: `import sys\nsys.stdout.write('a\\n')\nprint('b', end='', flush=True)\nsys.stderr.write('e\\n')\nsys.stdout.write(f'{await tools.echo(1)}\\n')\nreturn 2`,
      },
      async (program) => {
        const events: RunEvent[] = []
        const result = await run(program, { tools: TOOLS, onEvent: (event) => events.push(event) })
        const shown = events.map((event) => {
          if (event.type === 'state') return event.state
          return event.type === 'log'
            ? `${event.stream}:${event.text}${event.open ? '…' : ''}`
            : `${event.type}:${event.call.state}`
        })
        expect(shown.filter((text) => !text.startsWith('stderr') && text !== 'waiting')).toEqual([
          'starting',
          'running',
          'stdout:a',
          'stdout:b…',
          'call-start:running',
          'call-end:succeeded',
          'stdout:1',
          'settling',
          'done',
        ])
        // Python prints a line and its newline one after the other.
        expect(shown.some((text) => text.startsWith('stderr:e'))).toBe(true)
        expect(result.logs).toEqual(['a', 'b1', 'e'])
      },
    )

    backend.it(
      'hold copies: a listener cannot change the account',
      { typescript: 'return await tools.echo(1)', python: 'return await tools.echo(1)' },
      async (program) => {
        const { calls } = await run(program, {
          tools: TOOLS,
          onEvent: (event) => 'call' in event && Object.assign(event.call, { name: 'changed', id: 9 }),
        })
        expect(calls).toMatchObject([{ id: 0, name: 'echo' }])
      },
    )

    backend.it(
      'a listener that throws or rejects is contained',
      { typescript: `console.log('a'); return await tools.echo(1)`, python: `print('a')\nreturn await tools.echo(1)` },
      async (program) => {
        const throwing = await run(program, {
          tools: TOOLS,
          onEvent: () => {
            throw new Error('listener')
          },
        })
        const rejecting = await run(program, {
          tools: TOOLS,
          onEvent: (async () => {
            throw new Error('listener')
          }) as never,
        })
        expect([throwing, rejecting]).toMatchObject([
          { value: 1, logs: ['a'] },
          { value: 1, logs: ['a'] },
        ])
      },
    )

    backend.it(
      'the marker is heard too',
      { typescript: `console.log('x'.repeat(100))`, python: `print('x' * 100)` },
      async (program) => {
        const runtime = await backend.create({ limits: { maxLogBytes: 64 } })
        const heard: string[] = []
        const { logs } = await runtime.run({
          program,
          onEvent: (event) => event.type === 'log' && heard.push(event.text),
        })
        await runtime.dispose()
        expect(heard).toEqual(logs)
      },
    )
  })
})
