export const UNREADABLE = '<a value that cannot be converted to text>'

/** The message of anything thrown, without a throw and without more than one look. */
export const thrownText = (thrown: unknown): string => {
  try {
    return readThrown(thrown)
  } catch {
    return UNREADABLE
  }
}

const readThrown = (thrown: unknown): string => {
  if (typeof thrown === 'string') return thrown
  if (typeof thrown !== 'object' || thrown === null || !('message' in thrown)) return String(thrown)
  const { message } = thrown
  return typeof message === 'string' ? message : String(message)
}

/** The first `length` characters, in a string of their own: V8 keeps the whole text alive behind a slice of it. */
export const prefixOf = (text: string, length: number): string =>
  text.length <= length ? text : (JSON.parse(JSON.stringify(text.slice(0, length))) as string)
