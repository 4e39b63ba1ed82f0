/**
 * Freezes the intrinsics of the agent's realm. A proxy of the program gets arguments that belong to this realm; by
 * their prototypes it could change how the agent works.
 */
export const freezeIntrinsics = (realm: object): void => {
  const seen = new Set<unknown>()
  const waiting: unknown[] = [...Object.getOwnPropertyNames(realm).map((name) => Reflect.get(realm, name)), ...HIDDEN]
  for (let value = waiting.pop(); waiting.length > 0 || value !== undefined; value = waiting.pop()) {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue
    seen.add(value)
    if (value === realm) continue
    Object.freeze(value)
    waiting.push(Object.getPrototypeOf(value), ...partsOf(value))
  }
}

const partsOf = (value: object): unknown[] =>
  Reflect.ownKeys(value).flatMap((key) => {
    const part = Object.getOwnPropertyDescriptor(value, key)
    return [part?.value, part?.get, part?.set]
  })

// Reachable by syntax alone.
const HIDDEN: readonly unknown[] = [
  async () => {},
  function* () {},
  async function* () {},
  [][Symbol.iterator](),
  new Map()[Symbol.iterator](),
  new Set()[Symbol.iterator](),
  ''[Symbol.iterator](),
]
