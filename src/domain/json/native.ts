/**
 * The text of an array's items or of an object's members, without the brackets. The container is of the codec's own
 * making, so that native JSON runs no foreign code: plain, read already, and without numbers that need exact digits.
 */
export const innerText = (container: object): string => {
  if (Array.isArray(container) && container.length === 1) return nativeText(container[0])
  return nativeText(container).slice(1, -1)
}

const nativeText = (value: unknown): string => (hasSharedToJson() ? spell(value) : JSON.stringify(value))

// JSON.stringify calls a `toJSON` that somebody put on a prototype which all containers share.
const hasSharedToJson = (): boolean => 'toJSON' in Array.prototype

const spell = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(spell).join(',')}]`
  return `{${Object.entries(value).map(spellMember).join(',')}}`
}

const spellMember = ([key, value]: [string, unknown]): string => `${JSON.stringify(key)}:${spell(value)}`
