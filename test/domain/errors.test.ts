import { expect, test, vi } from 'vitest'
import * as errors from '../../src/domain/errors.js'

const { CodeRuntimeError, ConfigurationError, InternalError, MisuseError } = errors

const secondCopy = async (): Promise<typeof errors> => {
  vi.resetModules()
  const copy = await import('../../src/domain/errors.js')
  expect(copy.MisuseError).not.toBe(MisuseError)
  return copy
}

test.each([
  [ConfigurationError, 'ConfigurationError', 'ERR_CONFIGURATION'],
  [MisuseError, 'MisuseError', 'ERR_MISUSE'],
  [InternalError, 'InternalError', 'ERR_INTERNAL'],
])('%o is a CodeRuntimeError with a name and a stable code', (ErrorClass, name, code) => {
  const error = new ErrorClass('what went wrong', { cause: 'why' })
  expect(error).toMatchObject({ name, code, cause: 'why' })
  expect(error.message).toContain('what went wrong')
  expect(error instanceof ErrorClass).toBe(true)
  expect(error instanceof CodeRuntimeError).toBe(true)
  expect(error instanceof Error).toBe(true)
  expect(String(error)).toMatch(new RegExp(`^${name}: what went wrong`))
})

test('an error is no instance of its siblings', () => {
  const classes = [ConfigurationError, MisuseError, InternalError]
  for (const ErrorClass of classes) {
    const error = new ErrorClass('x')
    expect(classes.filter((Other) => error instanceof Other)).toEqual([ErrorClass])
  }
})

test.each(['ConfigurationError', 'MisuseError', 'InternalError'] as const)(
  'a %s of another copy of the package is recognised, both ways',
  async (name) => {
    const copy = await secondCopy()
    const theirs = new copy[name]('x')
    expect(theirs instanceof errors[name]).toBe(true)
    expect(theirs instanceof CodeRuntimeError).toBe(true)
    expect(new errors[name]('x') instanceof copy[name]).toBe(true)
    expect(new errors[name]('x') instanceof copy.CodeRuntimeError).toBe(true)
  },
)

test('a sibling of another copy is not recognised', async () => {
  const copy = await secondCopy()
  expect(new copy.MisuseError('x') instanceof ConfigurationError).toBe(false)
})

test.each([undefined, null, 'MisuseError', 7, {}, { name: 'MisuseError' }, new Error('x'), () => {}])(
  '%o is none of ours',
  (value) => {
    expect(value instanceof CodeRuntimeError).toBe(false)
    expect(value instanceof MisuseError).toBe(false)
  },
)

test('a subclass of an error is an instance of both', () => {
  class RequestError extends MisuseError {}
  const error = new RequestError('x')
  expect(error instanceof RequestError).toBe(true)
  expect(error instanceof MisuseError).toBe(true)
  expect(error instanceof CodeRuntimeError).toBe(true)
  expect(error instanceof ConfigurationError).toBe(false)
})

test('an internal error asks to be reported', () => {
  expect(new InternalError('a rule was broken').message).toMatch(/^a rule was broken .*please report/)
})
