import fc from 'fast-check'

const seed = Number(process.env['PROPERTY_SEED'] ?? 1)
const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 50)

/** Checks a property on the same examples every time; PROPERTY_SEED and PROPERTY_RUNS widen the search. */
export const holds = <Example>(property: fc.IProperty<Example>): void => fc.assert(property, { seed, numRuns })
