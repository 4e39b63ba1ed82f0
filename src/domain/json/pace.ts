/** Where the encoder hands over to native JSON. Only speed and memory depend on it, never the text. */
export interface Pace {
  /** How much should wait, by its least bytes, before native JSON writes it. */
  readonly batchBytes: number
  /** The deepest nesting given to one native call, which recurses. */
  readonly nativeDepth: number
  /** An object with more keys is read member by member instead of being copied at once. */
  readonly narrowKeys: number
}

export const PACE: Pace = { batchBytes: 16_384, nativeDepth: 100, narrowKeys: 128 }
