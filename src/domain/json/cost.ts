import { isNativeNumber } from './numbers.js'

/** The least bytes of a container besides its slots; its last slot has a bracket where others have a comma. */
export const CONTAINER_BYTES = 1
export const SEPARATOR_BYTES = 1
/** The least bytes of a slot with its separator, of an array and of an object. */
export const ITEM_BYTES = 2
export const MEMBER_BYTES = 5

/** What a text costs: the written bytes are exact, those of what waits to be written are the least possible. */
export class Cost {
  readonly maxBytes: number
  writtenBytes = 0
  /** The outermost value has no separator. */
  pendingBytes = -SEPARATOR_BYTES

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  hasRoom(moreBytes = 0): boolean {
    return this.writtenBytes + this.pendingBytes + moreBytes <= this.maxBytes
  }
}

export const NOT_NATIVE = -1

/** What a value costs beyond one byte, or NOT_NATIVE if native JSON cannot write it as it is. */
export const extraBytes = (value: unknown): number => {
  if (typeof value === 'number') return isNativeNumber(value) ? 0 : NOT_NATIVE
  if (typeof value === 'string') return value.length + 1
  return typeof value === 'boolean' || value === null ? 3 : NOT_NATIVE
}
