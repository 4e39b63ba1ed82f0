const MAX_LISTED = 50
const MAX_COMPARED_CHARS = 64

/** Names by their likeness to the one that was asked for, nearest spelling first; at most 50. */
export const nearestFirst = (asked: string, names: readonly string[]): string[] =>
  names
    .map((name) => ({ name, distance: editDistance(fold(asked), fold(name)) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_LISTED)
    .map(({ name }) => name)

const fold = (name: string): string => name.slice(0, MAX_COMPARED_CHARS).toLowerCase().replaceAll(/[_-]/g, '')

/** Levenshtein's distance, one row at a time. */
const editDistance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const substitution = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
