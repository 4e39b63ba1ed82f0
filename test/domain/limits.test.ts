import { expect, test } from 'vitest'
import {
  isLimitProblem,
  LIMIT_NAMES,
  type LimitContext,
  type LimitName,
  type LimitProblem,
  type Limits,
  limitApplies,
  type ResolvedLimits,
  resolveLimits,
} from '../../src/domain/limits.js'
import { MIB } from '../../src/domain/units.js'

type Isolation = 'worker-thread' | 'process'

const CAP_BYTES = 64 * MIB
const contextOf = (isolation: string): LimitContext => ({ isolation, frameCapBytes: CAP_BYTES })
const isolationOf = (name: LimitName): Isolation =>
  limitApplies(name, { isolation: 'worker-thread' }) ? 'worker-thread' : 'process'

const resolve = (given: Limits, context: LimitContext): ResolvedLimits => {
  const outcome = resolveLimits(given, context)
  if (isLimitProblem(outcome)) throw new Error(`${outcome.limit}: ${outcome.expected}`)
  return outcome
}

const refuse = (given: Limits, context: LimitContext): LimitProblem => {
  const outcome = resolveLimits(given, context)
  if (!isLimitProblem(outcome)) throw new Error('the limits were accepted')
  return outcome
}

const accepts = (name: LimitName, value: number): void => {
  expect(resolve({ [name]: value }, contextOf(isolationOf(name)))[name]).toBe(value)
}

test.each(['worker-thread', 'process'])('the defaults hold under %s', (isolation) => {
  expect(resolve({}, contextOf(isolation))).toEqual({
    maxWallMs: 600_000,
    maxLogBytes: 65_536,
    maxValueBytes: 1_048_576,
    maxBindingCalls: Number.POSITIVE_INFINITY,
    computeMs: 60_000,
    maxHeapMb: 512,
    cpuSeconds: 60,
    addressSpaceMb: 2_048,
    graceMs: 3_000,
  })
})

test.each(LIMIT_NAMES)('%s given as undefined is its default', (name) => {
  const context = contextOf(isolationOf(name))
  expect(resolve({ [name]: undefined } as Limits, context)).toEqual(resolve({}, context))
})

test.each<[LimitName, number, number, string]>([
  ['maxWallMs', 2_147_483_647, 2_147_483_648, 'at most 2147483647'],
  ['maxWallMs', 0.5, 0, 'positive number'],
  ['maxLogBytes', 64, 63, 'at least 64'],
  ['maxLogBytes', CAP_BYTES - 64, CAP_BYTES - 63, `at most ${CAP_BYTES - 64}`],
  ['maxLogBytes', 65, 64.5, 'positive integer'],
  ['maxValueBytes', 1, 0, 'positive number'],
  ['maxValueBytes', CAP_BYTES - 64, CAP_BYTES - 63, `at most ${CAP_BYTES - 64}`],
  ['maxValueBytes', 2, 1.5, 'positive integer'],
  ['maxBindingCalls', 1, 0, 'positive number'],
  ['maxBindingCalls', 2, 1.5, 'positive integer'],
  ['maxBindingCalls', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER + 1, `at most ${Number.MAX_SAFE_INTEGER}`],
  ['computeMs', Number.MIN_VALUE, 0, 'positive number'],
  ['computeMs', Number.MAX_VALUE, Number.POSITIVE_INFINITY, 'positive number'],
  ['maxHeapMb', 0.25, -0.25, 'positive number'],
  ['maxHeapMb', Number.MAX_VALUE, Number.POSITIVE_INFINITY, 'positive number'],
  ['cpuSeconds', 1, 0, 'positive number'],
  ['cpuSeconds', 2, 1.5, 'positive integer'],
  ['cpuSeconds', Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER, `at most ${Number.MAX_SAFE_INTEGER - 1}`],
  ['graceMs', 0.5, 0, 'positive number'],
  ['graceMs', 2_147_481_647, 2_147_481_648, 'at most 2147481647'],
  ['addressSpaceMb', 8_589_934_591, 8_589_934_592, 'at most'],
])('%s may be %d and not %d: %s', (name, good, bad, bound) => {
  accepts(name, good)
  const problem = refuse({ [name]: bad }, contextOf(isolationOf(name)))
  expect(problem).toMatchObject({ limit: name, actual: bad })
  expect(problem.expected).toContain(bound)
})

test.each(LIMIT_NAMES)('%s is a finite positive number', (name) => {
  for (const bad of [
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    -1,
    0,
    -0,
    '1',
    null,
    {},
    1n,
    true,
  ]) {
    const problem = refuse({ [name]: bad } as Limits, contextOf(isolationOf(name)))
    expect(problem).toEqual({ limit: name, expected: expect.stringContaining('positive number'), actual: bad })
  }
})

test.each<[LimitName, readonly Isolation[]]>([
  ['maxWallMs', ['worker-thread', 'process']],
  ['maxLogBytes', ['worker-thread', 'process']],
  ['maxValueBytes', ['worker-thread', 'process']],
  ['maxBindingCalls', ['worker-thread', 'process']],
  ['computeMs', ['worker-thread']],
  ['maxHeapMb', ['worker-thread']],
  ['cpuSeconds', ['process']],
  ['addressSpaceMb', ['process']],
  ['graceMs', ['process']],
])('%s applies to %j and is refused elsewhere', (name, isolations) => {
  for (const isolation of ['worker-thread', 'process'] as const) {
    const outcome = resolveLimits({ [name]: 3_000 }, contextOf(isolation))
    if (isolations.includes(isolation)) expect(outcome).toHaveProperty(name, 3_000)
    else expect(outcome).toMatchObject({ limit: name, expected: expect.stringContaining(isolation), actual: 3_000 })
  }
})

test("an integrator's isolation takes the limits of all, and those that it names", () => {
  const context = { ...contextOf('wasm'), alsoApplies: ['computeMs'] as const }
  expect(resolve({ maxWallMs: 5, computeMs: 7 }, context)).toMatchObject({ maxWallMs: 5, computeMs: 7 })
  expect(refuse({ cpuSeconds: 1 }, context)).toMatchObject({ limit: 'cpuSeconds' })
  expect(refuse({ computeMs: 7 }, contextOf('wasm'))).toMatchObject({ limit: 'computeMs' })
})

test("the cross rules of an address space hold for an integrator's isolation that names it", () => {
  const context = { ...contextOf('vm'), alsoApplies: ['addressSpaceMb'] as const }
  expect(refuse({ addressSpaceMb: 64 }, context)).toMatchObject({ limit: 'addressSpaceMb' })
  expect(resolve({ maxValueBytes: 60 * MIB }, contextOf('vm'))).toMatchObject({ maxValueBytes: 60 * MIB })
})

test.each([
  [64, 'more than 64'],
  [1, 'more than 64'],
  [100.3, 'safe integer'],
])('an address space of %d MiB is refused: %s', (addressSpaceMb, bound) => {
  const problem = refuse({ addressSpaceMb, maxLogBytes: 64, maxValueBytes: 1 }, contextOf('process'))
  expect(problem).toMatchObject({ limit: 'addressSpaceMb', actual: addressSpaceMb })
  expect(problem.expected).toContain(bound)
})

test('an address space need not be a whole number of MiB, only of bytes', () => {
  const given = { addressSpaceMb: 64.5, maxLogBytes: 64, maxValueBytes: 1 }
  expect(resolve(given, contextOf('process'))).toMatchObject(given)
})

test.each(['maxLogBytes', 'maxValueBytes'] as const)(
  '%s times 12 stays strictly below the address space less 64 MiB',
  (name) => {
    const small = { maxLogBytes: 64, maxValueBytes: 1, addressSpaceMb: 76 }
    expect(resolve({ ...small, [name]: MIB - 1 }, contextOf('process'))).toMatchObject({ [name]: MIB - 1 })
    const problem = refuse({ ...small, [name]: MIB }, contextOf('process'))
    expect(problem).toMatchObject({ limit: name, actual: MIB })
    expect(problem.expected).toContain(`at most ${MIB - 1}`)
    expect(problem.expected).toContain('`limits.addressSpaceMb` (76) less 64 MiB')
  },
)

test('a default is held to the cross rules too', () => {
  expect(refuse({ addressSpaceMb: 76 }, contextOf('process'))).toMatchObject({ limit: 'maxValueBytes', actual: MIB })
  expect(refuse({}, { isolation: 'process', frameCapBytes: MIB })).toMatchObject({ limit: 'maxValueBytes' })
})

test.each([
  ['maxLogBytes', 1_000 - 64],
  ['maxValueBytes', 1_000 - 64],
] as const)('%s leaves 64 bytes of a smaller frame cap too', (name, largest) => {
  const context = { isolation: 'worker-thread', frameCapBytes: 1_000 }
  const given = { maxLogBytes: 64, maxValueBytes: 1 }
  expect(resolve({ ...given, [name]: largest }, context)).toMatchObject({ [name]: largest })
  expect(refuse({ ...given, [name]: largest + 1 }, context).expected).toContain(`at most ${largest}`)
})

test('the first limit that breaks a rule is told', () => {
  expect(refuse({ graceMs: -1, maxWallMs: -1 }, contextOf('process'))).toMatchObject({ limit: 'maxWallMs' })
})
