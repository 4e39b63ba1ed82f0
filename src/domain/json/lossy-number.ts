import { Cursor } from './cursor.js'
import { isLossyNumber } from './numbers.js'

/** Whether a value that JSON.parse made holds, at any depth, an infinity, NaN or negative zero. */
export const hasLossyNumber = (value: unknown): boolean => {
  const stack = [new Cursor([value])]
  for (let cursor = stack.at(-1); cursor !== undefined; cursor = stack.at(-1)) {
    const found = nextOfInterest(cursor)
    if (typeof found === 'number') return true
    if (found === undefined) stack.pop()
    else stack.push(new Cursor(found))
  }
  return false
}

// The next container or lossy number, the cursor being behind it.
const nextOfInterest = (cursor: Cursor): object | number | undefined => {
  while (!cursor.isDone) {
    const { value } = cursor
    cursor.index += 1
    if (typeof value === 'object' && value !== null) return value
    if (typeof value === 'number' && isLossyNumber(value)) return value
  }
  return undefined
}
