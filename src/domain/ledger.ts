import { jsonTextBytes } from './json-cost.js'

const QUOTES_AND_SEPARATOR_BYTES = 3

/** The byte budget of a run's log entries, counted as the JSON array of them would be. */
export class Ledger {
  #remainingBytes: number

  /** One byte of the array's two brackets is prepaid; the last entry's separator pays the other. */
  constructor(maxLogBytes: number) {
    this.#remainingBytes = maxLogBytes - 1
  }

  get remainingBytes(): number {
    return this.#remainingBytes
  }

  /** Bills a new entry. False, and nothing billed, when it does not fit. */
  admitEntry(text: string): boolean {
    return this.#admit(text, QUOTES_AND_SEPARATOR_BYTES)
  }

  /** Bills text that continues an entry already billed. */
  admitContinuation(text: string): boolean {
    return this.#admit(text, 0)
  }

  #admit(text: string, overheadBytes: number): boolean {
    const contentBytes = jsonTextBytes(text, this.#remainingBytes - overheadBytes)
    if (contentBytes === undefined) return false
    this.#remainingBytes -= contentBytes + overheadBytes
    return true
  }
}

/** The last entry of a log that ran out of budget. Byte-identical in every guest language. */
export const truncationMarker = (maxLogBytes: number): string =>
  `[code-runtime] log capture truncated at ${maxLogBytes} bytes`
