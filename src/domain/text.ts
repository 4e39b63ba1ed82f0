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
