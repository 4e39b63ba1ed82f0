import { deepStrictEqual } from 'node:assert'
import type { ConformanceCase, Programs } from '../case.js'
import { gives, rows } from '../expectations.js'

const ARGUMENTS = rows<[programs: Programs, value: unknown]>(
  [
    [
      'one object is the argument',
      {
        javascript: 'return await tools.echo({ a: [1, null, "x"] })',
        python: 'return await tools.echo({"a": [1, None, "x"]})',
      },
      { a: [1, null, 'x'] },
    ],
    [
      'no argument is an empty object',
      { javascript: 'return await tools.echo()', python: 'return await tools.echo()' },
      {},
    ],
    ['an explicit undefined counts as none', { javascript: 'return await tools.echo(undefined)' }, {}],
    ['null is null', { javascript: 'return await tools.echo(null)', python: 'return await tools.echo(None)' }, null],
    ['a plain value is a value', { javascript: 'return await tools.echo(5)', python: 'return await tools.echo(5)' }, 5],
    [
      'keywords are members of one object',
      { python: 'return await tools.echo(city="Oslo", n=1)' },
      { city: 'Oslo', n: 1 },
    ],
  ],
  (programs, value) => ({
    section: '4.1',
    programs,
    run: gives({ value: (actual: unknown) => deepStrictEqual(actual, value) === undefined, calls: [{ id: 0 }] }),
  }),
)

const wrongCall = (calls: Programs): Programs => ({
  ...(calls['javascript'] && {
    javascript: `try { await ${calls['javascript']} } catch (error) { return [error instanceof TypeError, error.message] }`,
  }),
  ...(calls['python'] && {
    python: `try:\n  await ${calls['python']}\nexcept TypeError as error:\n  return [True, str(error)]`,
  }),
})

const WRONG_FORMS = rows<[calls: Programs]>(
  [
    [
      'two arguments are a TypeError that shows the form',
      { javascript: 'tools.echo(1, 2)', python: 'tools.echo(1, 2)' },
    ],
    ['a second argument of undefined is one too many', { javascript: 'tools.echo({}, undefined)' }],
    ['a position and keywords at once are a TypeError', { python: 'tools.echo({}, a=1)' }],
  ],
  (calls) => ({
    section: '4.1',
    programs: wrongCall(calls),
    run: gives({ value: [true, /tools\.echo\(/], calls: [] }),
  }),
)

const lossyCall = (args: Programs): Programs => ({
  ...(args['javascript'] && {
    javascript: `let text; try { await tools.echo(${args['javascript']}) } catch (error) { text = error.message } return [text, await tools.one()]`,
  }),
  ...(args['python'] && {
    python: `text = None\ntry:\n  await tools.echo(${args['python']})\nexcept RuntimeError as error:\n  text = str(error)\nreturn [text, await tools.one()]`,
  }),
})

const LOSSY_ARGUMENTS = rows<[args: Programs, path: string]>(
  [
    ['a function', { javascript: '{ f: () => 1 }', python: '{"f": print}' }, '$.f'],
    ['a date', { javascript: '[new Date(0)]', python: '[__import__("datetime").datetime.now()]' }, '$[0]'],
    ['NaN', { javascript: '{ x: NaN }', python: '{"x": float("nan")}' }, '$.x'],
    ['infinity', { javascript: '{ x: -Infinity }', python: '{"x": float("-inf")}' }, '$.x'],
    ['negative zero', { javascript: '-0', python: '-0.0' }, '$'],
    ['a decorated array', { javascript: 'Object.assign([1], { more: 1 })' }, '$'],
    ['a getter that throws', { javascript: '{ get x() { throw 1 } }' }, '$'],
    ['a key that is no string', { python: '{1: 2}' }, '$'],
    ['a subclass of float', { python: 'type("F", (float,), {})(1)' }, '$'],
  ],
  (args, path) => ({
    section: '4.1',
    programs: lossyCall(args),
    run: gives({
      value: [(text: string) => text.includes('lossless JSON') && text.includes(path), 1],
      calls: [{ id: 0, name: 'one' }],
    }),
  }),
  (title) => `an argument of ${title} is refused in the guest and takes no id`,
)

export const ARGUMENT_CASES: readonly ConformanceCase[] = [...ARGUMENTS, ...WRONG_FORMS, ...LOSSY_ARGUMENTS]
