import { scriptLines } from './lines.js'
import type { Problem } from './problem.js'

const DECORATORS =
  'Decorators are not available in a program: call the function yourself, as in `const A = decorate(class A { ... })`'
const USING = '`using` declarations are not available on this Node.js: use `try { ... } finally { ... }`'

/** V8's own words for syntax that TypeScript takes and this V8 does not would not help. */
export const withHint = (problem: Problem, body: string): Problem => {
  if (problem.position === undefined) return problem
  const lines = scriptLines(body)
  const offset = lines.offset(problem.position)
  if (body[offset] === '@') return { ...problem, text: DECORATORS }
  const using = /\b(?:await\s+)?using\s+$/.exec(body.slice(Math.max(0, offset - 40), offset))
  return using ? { text: USING, position: lines.position(offset - using[0].length) } : problem
}
