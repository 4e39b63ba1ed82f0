export interface Suspect {
  readonly reason: string
  readonly hint?: string
}

const BYTES_HINT = 'use `Array.from(bytes)` or base64 text'
const VALUE_HINT = 'use `.valueOf()`'

const BY_CLASS: ReadonlyMap<string, Suspect> = new Map([
  ['Date', { reason: 'a Date', hint: 'use `.toISOString()`' }],
  ['Map', { reason: 'a Map', hint: 'use `Object.fromEntries(map)`' }],
  ['Set', { reason: 'a Set', hint: 'use `[...set]`' }],
  ['RegExp', { reason: 'a RegExp', hint: 'use `.source`' }],
  ['Error', { reason: 'an Error', hint: 'use its `.message`' }],
  ['Promise', { reason: 'a Promise', hint: 'did you forget `await`?' }],
  ['Number', { reason: 'a boxed number', hint: VALUE_HINT }],
  ['String', { reason: 'a boxed string', hint: VALUE_HINT }],
  ['Boolean', { reason: 'a boxed boolean', hint: VALUE_HINT }],
  ['Buffer', { reason: 'a Buffer', hint: "use `Array.from(bytes)` or `.toString('base64')`" }],
  ['TypedArray', { reason: 'a typed array', hint: BYTES_HINT }],
  ['ArrayBuffer', { reason: 'an ArrayBuffer', hint: 'use `Array.from(new Uint8Array(buffer))` or base64 text' }],
  ['Array', { reason: 'an array of a class', hint: 'use `Array.from(items)`' }],
  ['URL', { reason: 'a URL', hint: 'use `.href`' }],
])

const BY_TYPE: Readonly<Record<string, Suspect>> = {
  undefined: { reason: 'undefined', hint: 'use null or leave it out' },
  bigint: { reason: 'a bigint', hint: 'use `Number(value)` or `String(value)`' },
  function: { reason: 'a function' },
  symbol: { reason: 'a symbol' },
}

const CLASS_NAME = /^[\w$]{1,64}$/
const LONGEST_CHAIN = 16

/** Why an object that is not plain cannot cross. Runs no code of the object's, a proxy's traps excepted. */
export const suspectOfClass = (value: object): Suspect => {
  const names = classNames(value)
  const known = names.find((name) => BY_CLASS.has(name))
  if (known !== undefined) return BY_CLASS.get(known) as Suspect
  return { reason: names[0] === undefined ? 'an object of a class' : `an instance of ${names[0]}` }
}

/** Why a value that is no object cannot cross. */
export const suspectOfType = (value: unknown): Suspect => {
  if (Object.is(value, -0)) return { reason: 'negative zero', hint: 'add 0 to it' }
  return BY_TYPE[typeof value] ?? { reason: String(value), hint: 'use null' }
}

const classNames = (value: object): string[] => {
  const names: string[] = []
  let prototype: object | null = Object.getPrototypeOf(value)
  for (let depth = 0; prototype !== null && depth < LONGEST_CHAIN; depth++) {
    const name = dataOf(dataOf(prototype, 'constructor'), 'name')
    if (typeof name === 'string' && name !== 'Object' && CLASS_NAME.test(name)) names.push(name)
    prototype = Object.getPrototypeOf(prototype)
  }
  return names
}

const dataOf = (holder: unknown, key: string): unknown =>
  typeof holder === 'function' || (typeof holder === 'object' && holder !== null)
    ? Object.getOwnPropertyDescriptor(holder, key)?.value
    : undefined
