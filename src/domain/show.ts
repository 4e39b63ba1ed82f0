const PREVIEW_CHARS = 60

/** A caller's value in a message about it: short, and without running any of its code. */
export const showValue = (value: unknown): string => {
  if (typeof value === 'string') {
    return JSON.stringify(value.length > PREVIEW_CHARS ? `${value.slice(0, PREVIEW_CHARS)}…` : value)
  }
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object'
  return typeof value === 'function' ? 'a function' : String(value)
}
