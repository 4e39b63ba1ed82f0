/** The same fields behind getters, and the name of each field every time that it is read. */
export const withGetters = <Fields extends object>(fields: Fields): { object: Fields; reads: string[] } => {
  const reads: string[] = []
  const object = {} as Fields
  for (const [name, value] of Object.entries(fields)) {
    Object.defineProperty(object, name, {
      enumerable: true,
      get: () => {
        reads.push(name)
        return value
      },
    })
  }
  return { object, reads }
}

/** An object whose field throws when it is read. */
export const withThrowingGetter = (name: string, thrown: unknown): object =>
  Object.defineProperty({}, name, {
    enumerable: true,
    get: () => {
      throw thrown
    },
  })
