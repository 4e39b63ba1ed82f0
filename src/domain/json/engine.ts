/** What the codec needs of the JavaScript engine beyond the intrinsics of ECMAScript. */
export interface JsonEngine {
  utf8Bytes(text: string): number
  /** False when the array owns a key that is neither an index nor `length`. Holes in a large array may pass. */
  hasOnlyIndices(array: readonly unknown[]): boolean
}
