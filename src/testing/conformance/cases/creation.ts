import { rejects } from 'node:assert'
import { getHeapStatistics } from 'node:v8'
import { ConfigurationError } from '../../../domain/errors.js'
import { frameCapBytes } from '../../../domain/frame-cap.js'
import { LIMIT_NAMES, type Limits } from '../../../domain/limits.js'
import type { Capability } from '../capabilities.js'
import type { ConformanceCase } from '../case.js'
import { rows } from '../expectations.js'

const CAP_BYTES = frameCapBytes(getHeapStatistics().heap_size_limit)

const ACCEPTED = rows<[limits: Limits]>(
  [
    ['none', {}],
    ['the longest wall time', { maxWallMs: 2_147_483_647 }],
    ['half a millisecond of wall time', { maxWallMs: 0.5 }],
    ['the smallest log', { maxLogBytes: 64 }],
    ['the smallest value', { maxValueBytes: 1 }],
    ['one call', { maxBindingCalls: 1 }],
    ['as many calls as there are integers', { maxBindingCalls: Number.MAX_SAFE_INTEGER }],
    ['an undefined limit, which takes its default', { maxWallMs: undefined as never }],
  ],
  (limits) => ({
    section: '1.3',
    run: async ({ create }) => {
      await create({ limits })
    },
  }),
  (title) => `limits that are accepted: ${title}`,
)

const REFUSED: readonly [limit: string, value: unknown, bound: RegExp][] = [
  ['maxWallMs', 2_147_483_648, /2147483647/],
  ['maxWallMs', 0, /positive number/],
  ['maxWallMs', -1, /positive number/],
  ['maxWallMs', Number.POSITIVE_INFINITY, /positive number/],
  ['maxWallMs', '1000', /positive number/],
  ['maxWallMs', null, /positive number/],
  ['maxLogBytes', 63, /at least 64/],
  ['maxLogBytes', 64.5, /integer/],
  ['maxLogBytes', Number.MAX_SAFE_INTEGER, /at most \d+/],
  ['maxValueBytes', 0, /positive/],
  ['maxValueBytes', 1.5, /integer/],
  ['maxValueBytes', Number.MAX_SAFE_INTEGER, /at most \d+/],
  ['maxBindingCalls', 0, /positive/],
  ['maxBindingCalls', 1.5, /integer/],
  ['maxBindingCalls', Number.POSITIVE_INFINITY, /positive/],
  ['maxWallMS', 1, /known options/],
]

const isRefusal = (limit: string, bound: RegExp) => (error: unknown) =>
  error instanceof ConfigurationError && error.message.includes(`limits.${limit}`) && bound.test(error.message)

const REFUSALS = rows<[limit: string, value: unknown, bound: RegExp]>(
  REFUSED.map(
    ([limit, value, bound]) =>
      [`${limit} of ${typeof value === 'string' ? `'${value}'` : value}`, limit, value, bound] as const,
  ),
  (limit, value, bound) => ({
    section: '1.3',
    run: ({ create }) => rejects(create({ limits: { [limit]: value } }), isRefusal(limit, bound)),
  }),
  (title) => `refused by name, value and bound: ${title}`,
)

/** Where the frame cap decides: no process can have more room for these on this host. */
const AT_THE_CAP = rows<[limit: 'maxLogBytes' | 'maxValueBytes']>(
  [
    ['maxLogBytes', 'maxLogBytes'],
    ['maxValueBytes', 'maxValueBytes'],
  ],
  (limit) => ({
    section: '1.4',
    run: ({ create }) =>
      rejects(
        create({ limits: { [limit]: CAP_BYTES - 63 } }),
        isRefusal(limit, new RegExp(`at most ${CAP_BYTES - 64}`)),
      ),
  }),
  (title) => `${title} over what a frame of this host can hold is refused`,
)

const NOT_ENFORCED: ConformanceCase = {
  section: '1.3',
  title: 'a limit that the backend does not enforce is refused',
  run: async ({ create, declared }) => {
    const optional = LIMIT_NAMES.filter((name): name is keyof Limits & Capability =>
      ['computeMs', 'maxHeapMb', 'cpuSeconds', 'addressSpaceMb'].includes(name),
    )
    for (const name of optional) {
      if (declared.has(name)) await create({ limits: { [name]: 1_000 } })
      else await rejects(create({ limits: { [name]: 1_000 } }), isRefusal(name, /absent/))
    }
  },
}

export const CREATION_CASES: readonly ConformanceCase[] = [...ACCEPTED, ...REFUSALS, ...AT_THE_CAP, NOT_ENFORCED]
