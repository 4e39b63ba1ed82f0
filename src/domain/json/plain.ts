/**
 * Tells plain containers of any realm: a prototype is known by its shape, then remembered, since the containers of
 * one value mostly share it.
 */
export class PlainCheck {
  #objectPrototype: object = Object.prototype
  #arrayPrototype: object = Array.prototype

  isPlain(container: object): boolean {
    return Array.isArray(container) ? this.#isPlainArray(container) : this.#isPlainObject(container)
  }

  #isPlainObject(object: object): boolean {
    const prototype: object | null = Object.getPrototypeOf(object)
    if (prototype === this.#objectPrototype || prototype === null) return true
    if (!isObjectPrototype(prototype)) return false
    this.#objectPrototype = prototype
    return true
  }

  #isPlainArray(array: readonly unknown[]): boolean {
    const prototype: object | null = Object.getPrototypeOf(array)
    if (prototype === this.#arrayPrototype) return true
    if (prototype === null || !isArrayPrototype(prototype)) return false
    this.#arrayPrototype = prototype
    return true
  }
}

const isObjectPrototype = (prototype: object): boolean =>
  Object.getPrototypeOf(prototype) === null &&
  Object.hasOwn(prototype, 'isPrototypeOf') &&
  Object.hasOwn(prototype, 'hasOwnProperty')

// Array.prototype is itself an array, right below Object.prototype.
const isArrayPrototype = (prototype: object): boolean => {
  if (!Array.isArray(prototype) || !Object.hasOwn(prototype, 'copyWithin')) return false
  const above: object | null = Object.getPrototypeOf(prototype)
  return above !== null && isObjectPrototype(above)
}
