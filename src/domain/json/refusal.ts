import type { Problem } from './encoding.js'

/** One line for whoever wrote the value: where, what, and what to do about it. */
export const describeRefusal = (problem: Problem): string => {
  if (problem.kind === 'over-budget') return 'a text over the size limit cannot be lossless JSON'
  const { path, reason, hint } = problem
  return `${path}: ${reason} is not lossless JSON${hint === undefined ? '' : ` (${hint})`}`
}
