import { truncationMarker } from '../../../domain/ledger.js'
import type { ConformanceCase, Programs } from '../case.js'
import { failsAs, gives, prints, returns } from '../expectations.js'
import { forging, RETURN_1 } from '../forging.js'
import { FORGED_CALL, hostile } from '../hostile.js'

const MARKER = truncationMarker(4_096)

const LOGS: readonly ConformanceCase[] = [
  hostile(
    '6.7',
    'only a literal true truncates the log',
    forging(
      [
        { type: 'log', text: 'a', truncated: 'yes' },
        { type: 'log', text: 'b', truncated: 1 },
      ],
      RETURN_1,
    ),
    prints(['a', 'b']),
  ),
  hostile(
    '6.7',
    'the text of a truncation is never used',
    forging(
      [
        { type: 'log', text: 'forged', truncated: true },
        { type: 'log', text: 'again', truncated: true },
        { type: 'log', text: 'more' },
      ],
      RETURN_1,
    ),
    prints([MARKER]),
  ),
  hostile(
    '6.6',
    '1,000 forged lone surrogates cost six bytes each',
    forging([{ type: 'log', text: '\ud800'.repeat(1_000) }], RETURN_1),
    prints([MARKER]),
  ),
  hostile(
    '6.6',
    '680 forged lone surrogates fit',
    forging([{ type: 'log', text: '\ud800'.repeat(680) }], RETURN_1),
    prints(['\ud800'.repeat(680)]),
  ),
  hostile(
    '6.8',
    '4,000,000 forged NULs are bounded',
    {
      javascript: `const { parentPort } = await import('node:worker_threads'); parentPort.postMessage(JSON.stringify({ type: 'log', text: '\\0'.repeat(4e6) })); return 1`,
      python: `import os\ntext = b'{"type":"log","text":"' + b'\\\\u0000' * 4000000 + b'"}\\n'\nwhile text: text = text[os.write(3, text):]\nreturn 1`,
    },
    gives({ value: 1, logs: [MARKER] }),
  ),
]

const CALLS: readonly ConformanceCase[] = [
  hostile(
    '4.5',
    'forged calls of undeclared names are refused by the host',
    forging(
      [
        { ...FORGED_CALL, name: 'nope' },
        { ...FORGED_CALL, id: 1, global: 'toString' },
        { ...FORGED_CALL, id: 2, name: '__proto__' },
      ],
      {
        javascript: 'await new Promise((done) => setTimeout(done, 50)); return 1',
        python: 'import asyncio\nawait asyncio.sleep(0.05)\nreturn 1',
      },
    ),
    gives({
      value: 1,
      calls: [
        { state: 'failed', error: 'unknown binding tools.nope' },
        { state: 'failed', error: 'unknown binding toString.one' },
        { state: 'failed', error: 'unknown binding tools.__proto__' },
      ],
    }),
  ),
  hostile(
    '10.1',
    'a forged name of 100,000 characters is shown in part',
    forging([{ ...FORGED_CALL, name: 'n'.repeat(100_000) }], {
      javascript: 'await new Promise((done) => setTimeout(done, 50)); return 1',
      python: 'import asyncio\nawait asyncio.sleep(0.05)\nreturn 1',
    }),
    gives({
      calls: [{ name: (name: string) => name.length === 1_024, error: (text: string) => text.length < 2_100 }],
    }),
  ),
  hostile(
    '4.9',
    '2,000 forged calls with descending ids are no calls',
    forging(
      Array.from({ length: 2_000 }, (_, index) => ({ ...FORGED_CALL, id: 2_000 - index })),
      { javascript: 'return await tools.one()', python: 'return await tools.one()' },
    ),
    gives({ value: 1, calls: [{ id: 0 }] }),
  ),
  hostile(
    '4.9',
    'a forged id is spent: the honest call of that id is dropped',
    forging([FORGED_CALL], {
      javascript: `return await Promise.race([tools.echo(5), new Promise((done) => setTimeout(done, 100, 'dropped'))])`,
    }),
    gives({ value: 1, calls: [{ name: 'one' }] }),
  ),
  hostile(
    '4.8',
    '5,000 forged calls whose replies are never read end the run',
    {
      javascript: `const { parentPort } = await import('node:worker_threads'); for (let id = 0; id < 5000; id++) parentPort.postMessage(JSON.stringify({ type: 'call', id, global: 'tools', name: 'big', args: null })); for (;;) {}`,
      python: `import os\nfor id in range(5000): os.write(3, b'{"type":"call","id":%d,"global":"tools","name":"big","args":null}\\n' % id)\nwhile True: pass`,
    },
    failsAs('worker-exit', /1024/, { tools: { big: () => 'x'.repeat(2_000) } }),
  ),
]

const CAP: readonly ConformanceCase[] = [
  hostile(
    '10.2',
    'a frame over the cap ends the run, unparsed',
    {
      javascript: `const { parentPort } = await import('node:worker_threads'); parentPort.postMessage('x'.repeat(67108865)); for (;;) {}`,
      python: `import os\npiece = b'x' * 65536\nfor _ in range(1025): os.write(3, piece)\nwhile True: pass`,
    },
    failsAs('worker-exit', /frame.*exceeded \d+ bytes/),
  ),
  hostile(
    '10.2',
    'the cap counts bytes, not characters',
    {
      javascript: `const { parentPort } = await import('node:worker_threads'); parentPort.postMessage('中'.repeat(23e6)); for (;;) {}`,
      python: `import os\npiece = '中'.encode() * 20000\nfor _ in range(1150): os.write(3, piece)\nwhile True: pass`,
    },
    failsAs('worker-exit', /exceeded/),
  ),
  hostile(
    '10.3',
    'a second boot-ack does not start the program again',
    forging([{ type: 'boot-ack' }, { type: 'boot-ack' }], {
      javascript: `console.log('once'); await new Promise((done) => setTimeout(done, 50)); return 1`,
      python: `import asyncio\nprint('once')\nawait asyncio.sleep(0.05)\nreturn 1`,
    }),
    gives({ value: 1, logs: ['once'] }),
  ),
]

const dispatching = (frame: string, rest: string): Programs => ({
  javascript: `const { parentPort } = await import('node:worker_threads'); parentPort.dispatchEvent?.(new MessageEvent('message', { data: ${JSON.stringify(frame)} })); ${rest}`,
})

const TO_ITS_OWN_AGENT: readonly ConformanceCase[] = [
  hostile(
    '10.1',
    'a reply of no call that a program forges to its own agent changes nothing',
    dispatching('{"type":"reply","id":99,"ok":true,"value":1}', 'return 1'),
    returns(1),
  ),
  hostile(
    '10.1',
    'an unknown frame that a program forges to its own agent changes nothing',
    dispatching('{"type":"nope"}', 'return 1'),
    returns(1),
  ),
  hostile(
    '10.1',
    'a boot with larger limits that a program forges to its own agent does not count',
    dispatching('{"type":"boot","maxLogBytes":1e9,"maxValueBytes":1e9,"namespaces":[]}', `return 'x'.repeat(5000)`),
    failsAs('output-limit'),
  ),
]

export const FORGED_TRAFFIC_CASES: readonly ConformanceCase[] = [...LOGS, ...CALLS, ...CAP, ...TO_ITS_OWN_AGENT]
