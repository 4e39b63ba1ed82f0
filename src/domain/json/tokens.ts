const SHORTEST_INEXACT = 16
const LONGEST_FINITE = 309

/**
 * Whether JSON text holds an integer token that a double cannot hold exactly. Looks at every sixteenth character,
 * since shorter runs of digits are exact.
 */
export const hasInexactInteger = (text: string): boolean => {
  const strings = new StringTokens(text)
  for (let at = SHORTEST_INEXACT - 1; at < text.length; at += SHORTEST_INEXACT) {
    if (!isDigitAt(text, at)) continue
    const start = startOfDigits(text, at)
    const end = endOfDigits(text, at)
    if (end - start >= SHORTEST_INEXACT && isInteger(text, start, end) && !strings.cover(start)) {
      if (isInexact(text, start, end)) return true
    }
    at = end - 1
  }
  return false
}

const isDigitAt = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at)
  return unit >= 0x30 && unit <= 0x39
}

const startOfDigits = (text: string, at: number): number => {
  let start = at
  while (start > 0 && isDigitAt(text, start - 1)) start -= 1
  return start
}

const endOfDigits = (text: string, at: number): number => {
  let end = at + 1
  while (isDigitAt(text, end)) end += 1
  return end
}

const BEFORE_NO_INTEGER = /[.+eE]$|[eE]-$/
const AFTER_NO_INTEGER = /^[.eE]/

// Neither fraction nor exponent, and followed by neither.
const isInteger = (text: string, start: number, end: number): boolean =>
  !BEFORE_NO_INTEGER.test(text.slice(Math.max(0, start - 2), start)) && !AFTER_NO_INTEGER.test(text.slice(end, end + 1))

const isInexact = (text: string, start: number, end: number): boolean => {
  if (end - start > LONGEST_FINITE) return true
  const digits = text.slice(start, end)
  const double = Number(digits)
  return !Number.isFinite(double) || BigInt(digits) !== BigInt(double)
}

/** Finds the string tokens of a JSON text, asked from left to right. */
class StringTokens {
  readonly #text: string
  #start = -1
  #end = -1

  constructor(text: string) {
    this.#text = text
  }

  cover(at: number): boolean {
    while (this.#end < at) this.#advance()
    return this.#start < at
  }

  #advance(): void {
    this.#start = this.#quoteFrom(this.#end + 1)
    this.#end = this.#start
    do this.#end = this.#quoteFrom(this.#end + 1)
    while (this.#isEscaped(this.#end))
  }

  #quoteFrom(at: number): number {
    const quote = this.#text.indexOf('"', at)
    return quote < 0 ? Number.POSITIVE_INFINITY : quote
  }

  #isEscaped(at: number): boolean {
    let backslash = at
    while (this.#text[backslash - 1] === '\\') backslash -= 1
    return (at - backslash) % 2 === 1
  }
}
