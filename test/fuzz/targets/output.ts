import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { OutputStream, RunEvent } from '../../../src/index.js'
import { anyText } from '../../support/json-values.js'
import type { Language } from '../backends.js'
import { checkResult } from '../invariants.js'
import { printed } from '../printed.js'
import { closeBackends, type OpenBackend, openBackends } from '../runtimes.js'
import type { Target } from '../target.js'

const BUDGETS = { maxLogBytes: 65_536, maxValueBytes: 1_048_576 }
const STREAMS: readonly OutputStream[] = ['stdout', 'stderr']

interface Write {
  readonly stream: OutputStream
  readonly bytes: Uint8Array
}

const base64 = (writes: readonly Write[]): string =>
  JSON.stringify(writes.map(({ stream, bytes }) => [stream, Buffer.from(bytes).toString('base64')]))

/** Writes bytes as they are, by no stream that could mend them. */
const PROGRAMS: Readonly<Record<Language, (writes: readonly Write[]) => string>> = {
  typescript: (writes) =>
    `for (const [stream, bytes] of ${base64(writes)}) process[stream].write(Buffer.from(bytes, 'base64'))`,
  python: (writes) => `
import base64, os
for stream, data in ${base64(writes)}:
  view = memoryview(base64.b64decode(data))
  while view: view = view[os.write(1 if stream == "stdout" else 2, view):]`,
}

const decoded = (writes: readonly Write[], wanted: OutputStream): string => {
  const bytes = Buffer.concat(writes.filter(({ stream }) => stream === wanted).map((write) => write.bytes))
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  return text.replace(/([^\n])$/, '$1\n')
}

const run = async ({ language, runtime }: OpenBackend, writes: readonly Write[]): Promise<void> => {
  const events: RunEvent[] = []
  const result = await runtime.run({ program: PROGRAMS[language](writes), onEvent: (event) => void events.push(event) })
  checkResult(result, BUDGETS)
  assert.equal(result.error, undefined)
  for (const stream of STREAMS) assert.equal(printed(events, stream), decoded(writes, stream), `${language} ${stream}`)
}

const text = anyText.map((value) => Buffer.from(value))
const part = fc.tuple(text, fc.nat(20), fc.nat(20)).map(([bytes, start, end]) => bytes.subarray(start, start + end))
const junk = fc.array(
  fc.constantFrom(0x0a, 0x80, 0xbf, 0xc2, 0xe2, 0x82, 0xed, 0xa0, 0xf0, 0x9f, 0xff, 0x61, 0x0d, 0xef, 0xbb),
  {
    maxLength: 12,
  },
)
const writes = fc.array(
  fc.record({
    stream: fc.constantFrom(...STREAMS),
    bytes: fc.oneof(
      text,
      part,
      junk.map((bytes) => Uint8Array.from(bytes)),
    ),
  }),
  { maxLength: 12 },
)

/** Any bytes in any chunks on both streams: the lines that a WHATWG decoder makes of them, wherever they were cut. */
export const output: Target = {
  name: 'output',
  open: async () => {
    const backends = await openBackends({ limits: BUDGETS })
    const property = fc.asyncProperty(writes, async (some) => {
      await Promise.all(backends.map((backend) => run(backend, some)))
    })
    return { property, close: () => closeBackends(backends) }
  },
}
