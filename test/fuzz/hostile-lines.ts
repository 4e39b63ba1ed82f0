import fc from 'fast-check'
import { anyJson, anyText } from '../support/json-values.js'

const NAMES = ['echo', 'fail', 'odd', 'nope', '__proto__', 'constructor']

/** Mostly the ids of a guest that counts; some that a hostile one would try. */
const ids = fc.oneof(
  { weight: 6, arbitrary: fc.nat(4) },
  fc.constantFrom<unknown>(-1, 0.5, 1e300, '0', null, true, [0], 9_007_199_254_740_993n),
)

const call = fc.record({
  type: fc.constant('call'),
  id: ids,
  global: fc.constantFrom('tools', 'tools', 'nope', '__proto__'),
  name: fc.constantFrom(...NAMES),
  args: anyJson,
})
const log = fc.record(
  {
    type: fc.constant('log'),
    text: fc.oneof(anyText, fc.constantFrom('', '\n', 'a\nb', 'x'.repeat(300), '\0'.repeat(50))),
    stream: fc.constantFrom<unknown>('stdout', 'stderr', 'stdin', 1),
    open: fc.constantFrom<unknown>(true, false, 1),
    truncated: fc.constantFrom<unknown>(false, false, false, true, 'true'),
  },
  { requiredKeys: ['type', 'text'] },
)
const failure = fc.record({
  kind: fc.constantFrom<unknown>('exception', 'invalid-output', 'output-limit', 'timeout', 'abort', 5),
  message: fc.oneof(anyText, fc.constant('x'.repeat(500)), fc.constant(5)),
})
const done = fc.record(
  { type: fc.constant('done'), value: fc.oneof(anyJson, fc.constant('x'.repeat(300))), error: failure },
  { requiredKeys: ['type'] },
)
const other = fc.constantFrom<unknown>(
  { type: 'boot-ack' },
  { type: 'boot' },
  { type: 'run', program: 'return 1' },
  { type: 'reply', id: 0, ok: true, value: 1 },
  { type: 'done ' },
  { type: ['done'] },
  {},
  [],
  null,
  'done',
)

const frame = fc.oneof(
  { weight: 5, arbitrary: call },
  { weight: 4, arbitrary: log },
  { weight: 1, arbitrary: done },
  { weight: 1, arbitrary: other },
)

const text = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `BIG${part}` : part)).replaceAll(
    /"BIG(\d+)"/g,
    '$1',
  )

/** A frame that somebody tampered with: a member more, a member twice, a character lost or put in. */
const tampered = fc
  .tuple(frame, fc.nat(), fc.constantFrom('}', '"', ',', '\\', '\\ud800', '1e999', '-0', ' ', '{'))
  .map(([value, at, piece]) => {
    const whole = text(value)
    const place = at % whole.length
    return whole.slice(0, place) + piece + whole.slice(place + (at % 2))
  })
const extended = fc
  .tuple(frame, anyText, anyJson)
  .map(([value, name, extra]) => text(typeof value === 'object' && value ? { ...value, [name]: extra } : value))
const deep = fc
  .tuple(fc.nat(3_000), fc.constantFrom('{"type":"done","value":', '{"type":"log","text":'))
  .map(([depth, start]) => `${start}${'['.repeat(depth)}${']'.repeat(depth)}}`)

/** A frame with bytes in it that no text has there: half a character, a surrogate, an overlong form, a newline. */
const broken = fc
  .tuple(frame, fc.nat(), fc.constantFrom([0xff], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0x0a], [0x0d], [0]))
  .map(([value, at, bytes]) => {
    const whole = Buffer.from(text(value))
    const place = at % whole.length
    return Buffer.concat([whole.subarray(0, place), Uint8Array.from(bytes), whole.subarray(place)])
  })

const utf8 = (lines: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array> => lines.map((line) => Buffer.from(line))

/** A counterexample should be read. */
const readable = (line: Uint8Array): Uint8Array =>
  Object.assign(line, { [fc.toStringMethod]: () => JSON.stringify(Buffer.from(line).toString('latin1')) })

/** What a hostile guest writes as one line: frames, near-frames, and any bytes at all. */
export const hostileLine: fc.Arbitrary<Uint8Array> = fc
  .oneof(
    { weight: 8, arbitrary: utf8(frame.map(text)) },
    { weight: 3, arbitrary: utf8(tampered) },
    { weight: 2, arbitrary: utf8(extended) },
    { weight: 1, arbitrary: utf8(deep) },
    { weight: 1, arbitrary: utf8(anyText) },
    { weight: 3, arbitrary: broken },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }) },
  )
  .map(readable)
