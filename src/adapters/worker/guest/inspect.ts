import { inspect } from 'node:util'

/** CONTRACT 3.7: depth, items and characters of what is printed. */
export const INSPECT_OPTIONS = { depth: 4, maxArrayLength: 100, maxStringLength: 10_000, colors: false } as const

export const inspectBounded = (value: unknown): string => inspect(value, INSPECT_OPTIONS)
