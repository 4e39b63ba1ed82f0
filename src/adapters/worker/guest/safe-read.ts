/** A property of the program's object. Undefined when reading it throws. */
export const safeRead = (value: unknown, key: PropertyKey): unknown => {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  try {
    return (value as Record<PropertyKey, unknown>)[key]
  } catch {
    return undefined
  }
}

/** A property that is plain data: reading it runs no code of the program. */
export const readData = (value: unknown, key: PropertyKey): unknown => {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  try {
    return Object.getOwnPropertyDescriptor(value, key)?.value
  } catch {
    return undefined
  }
}

/** The name of a value's class, or `<unknown>`. */
export const classNameOf = (value: unknown): string => {
  const name = safeRead(safeRead(value, 'constructor'), 'name')
  return typeof name === 'string' && name !== '' ? name : '<unknown>'
}
