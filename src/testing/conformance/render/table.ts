import { type ConformanceMatrix, type ConformanceResult, countOutcomes } from '../matrix.js'

/** A row for each section and one for all of them; a column for each backend. */
export const outcomeRows = (matrices: readonly ConformanceMatrix[]): string[][] => {
  const titles = [...new Set(matrices.flatMap(({ sections }) => sections.map(({ title }) => title)))]
  return [
    ['section', ...matrices.map(({ backend }) => backend)],
    ...titles.map((title) => [title, ...matrices.map((matrix) => outcomeText(resultsOf(matrix, title)))]),
    ['all', ...matrices.map((matrix) => outcomeText(resultsOf(matrix)))],
  ]
}

/** The results of a section, or of all. */
const resultsOf = ({ sections }: ConformanceMatrix, title?: string): ConformanceResult[] =>
  sections.filter((section) => title === undefined || section.title === title).flatMap(({ results }) => results)

const outcomeText = (results: readonly ConformanceResult[]): string => {
  const { passed, failed, 'not-applicable': notApplicable } = countOutcomes(results)
  return [
    `${passed} passed`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(notApplicable === 0 ? [] : [`${notApplicable} not applicable`]),
  ].join(', ')
}

/** Why cases did not apply, and how many for each reason, the most frequent first. */
export const reasonCounts = (matrix: ConformanceMatrix): [reason: string, count: number][] => {
  const counts = new Map<string, number>()
  for (const { outcome, reason = '' } of resultsOf(matrix)) {
    if (outcome === 'not-applicable') counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return [...counts].toSorted(([a, m], [b, n]) => n - m || a.localeCompare(b))
}

export const failuresOf = (matrix: ConformanceMatrix): ConformanceResult[] =>
  resultsOf(matrix).filter(({ outcome }) => outcome === 'failed')
