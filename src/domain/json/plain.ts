// Prototypes are told by their shape: values come from several realms, each with prototypes of its own.

export const isPlainObject = (value: object): boolean => {
  const prototype: object | null = Object.getPrototypeOf(value)
  return prototype === null || isObjectPrototype(prototype)
}

export const isPlainArray = (value: readonly unknown[]): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Array.prototype || isArrayPrototype(prototype)
}

const isObjectPrototype = (prototype: object | null): boolean =>
  prototype === Object.prototype ||
  (prototype !== null &&
    Object.getPrototypeOf(prototype) === null &&
    Object.hasOwn(prototype, 'isPrototypeOf') &&
    Object.hasOwn(prototype, 'hasOwnProperty'))

// Array.prototype is itself an array, right below Object.prototype.
const isArrayPrototype = (prototype: unknown): boolean =>
  Array.isArray(prototype) &&
  Object.hasOwn(prototype, 'copyWithin') &&
  isObjectPrototype(Object.getPrototypeOf(prototype))
