import type { BindingNamespace } from '../../../domain/request.js'
import type { ConformanceCase } from '../case.js'
import { ABSENT } from '../check.js'
import { gives, returns, rows } from '../expectations.js'
import { unconvertible, withThrowingGetter } from '../tools.js'

const PLACEHOLDER = /cannot be converted to text/
const withMessage = (message: unknown): Error => Object.assign(new Error('x'), { message })
const thrower = (thrown: unknown) => () => {
  throw thrown
}

const ERROR_CLASS = { name: 'ToolCallError', memberNameProperty: 'toolName' }
const withErrorClass = (functions: BindingNamespace['functions']) => ({
  bindings: [{ global: 'tools', functions, errorClass: ERROR_CLASS }],
})

const TYPED_REJECTIONS = rows<[thrown: unknown, text: unknown]>(
  [
    ['an Error', new Error('boom'), 'boom'],
    ['a string', 'just text', 'just text'],
    ['an empty message', new Error(''), ''],
    ['an empty string', '', ''],
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
    ['an unconvertible object', unconvertible(), PLACEHOLDER],
    ['a message that cannot be converted', withMessage(unconvertible()), PLACEHOLDER],
    ['a message whose getter throws', withThrowingGetter('message', new Error('never')), PLACEHOLDER],
    ['an object without a prototype', Object.create(null), PLACEHOLDER],
    ['a lone surrogate', new Error('\ud800'), '\ud800'],
  ],
  (thrown, text) => ({
    section: '4.3',
    programs: {
      javascript: `try { await tools.fail() } catch (e) { return [e instanceof ToolCallError, e instanceof Error, e.name, e.toolName, e.message, e.constructor.name] }`,
      python: `try:\n  await tools.fail()\nexcept ToolCallError as e:\n  return [True, isinstance(e, Exception), type(e).__name__, e.toolName, str(e), type(e).__name__]`,
    },
    run: gives(
      {
        error: ABSENT,
        value: [true, true, 'ToolCallError', 'fail', text, 'ToolCallError'],
        calls: [{ state: 'failed', error: text }],
      },
      withErrorClass({ fail: thrower(thrown) }),
    ),
  }),
  (title) => `a rejection of ${title} is an instance of the declared class`,
)

const REJECTIONS: readonly ConformanceCase[] = [
  {
    section: '4.3',
    title: 'a rejection without a declared class is a plain error without the member',
    programs: {
      javascript: `try { await tools.fail() } catch (e) { return [e.name, e.message, Object.keys(e), e.constructor === Error] }`,
      python: `try:\n  await tools.fail()\nexcept Exception as e:\n  return ['Error' if type(e) is RuntimeError else type(e).__name__, str(e), list(vars(e)), type(e) is RuntimeError]`,
    },
    run: returns(['Error', 'the host refused', [], true]),
  },
  {
    section: '4.3',
    title: 'a rejection is caught in place among several',
    programs: {
      javascript: `const all = await Promise.allSettled([tools.fail(), tools.one(), tools.fail()]); return all.map(({ status, reason }) => [status, reason?.message ?? null])`,
      python: `import asyncio\nall = await asyncio.gather(tools.fail(), tools.one(), tools.fail(), return_exceptions=True)\nreturn [['rejected', str(r)] if isinstance(r, Exception) else ['fulfilled', None] for r in all]`,
    },
    reports: ['PrefectHQ/fastmcp#4702', 'pydantic/monty#839'],
    run: returns([
      ['rejected', 'the host refused'],
      ['fulfilled', null],
      ['rejected', 'the host refused'],
    ]),
  },
  {
    section: '4.3',
    title: 'a rejection has a text of any size',
    programs: {
      javascript: `try { await tools.fail() } catch (e) { return e.message.length }`,
      python: `try:\n  await tools.fail()\nexcept RuntimeError as e:\n  return len(str(e))`,
    },
    run: gives(
      { value: 2_000_000, calls: [{ replyBytes: 4_000_002 }] },
      { tools: { fail: thrower(new Error('é'.repeat(2_000_000))) } },
    ),
  },
]

const cycle = (): unknown[] => {
  const list: unknown[] = []
  list.push(list)
  return list
}

const LOSSY_RESOLUTIONS = rows<[answer: () => unknown]>(
  [
    ['a function', () => () => 1],
    ['undefined', () => undefined],
    ['NaN', () => [Number.NaN]],
    ['a Map', () => new Map()],
    ['a getter that throws', () => withThrowingGetter('x', new Error('host secret'))],
    ['a bigint', () => 1n],
    ['a cycle', cycle],
  ],
  (answer) => ({
    section: '4.4',
    programs: {
      javascript: `try { await tools.bad() } catch (e) { return e.message }`,
      python: `try:\n  await tools.bad()\nexcept RuntimeError as e:\n  return str(e)`,
    },
    run: gives(
      { value: (text: string) => text.includes('lossless JSON') && !text.includes('host secret') },
      { tools: { bad: answer } },
    ),
  }),
  (title) => `a resolution of ${title} rejects the call and says so`,
)

export const REJECTION_CASES: readonly ConformanceCase[] = [...TYPED_REJECTIONS, ...REJECTIONS, ...LOSSY_RESOLUTIONS]
