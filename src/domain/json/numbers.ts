/** From here on a double is an integer whose shortest spelling can differ from its exact digits. */
const EXACT_DIGITS_FROM = 2 ** 53

/** True for a number that JSON.stringify spells as it should be. */
export const isNativeNumber = (value: number): boolean =>
  value <= EXACT_DIGITS_FROM && value >= -EXACT_DIGITS_FROM && (value !== 0 || 1 / value > 0)

export const spellNumber = (value: number): string => {
  if (Object.is(value, -0)) return '-0'
  return Number.isFinite(value) && Math.abs(value) > EXACT_DIGITS_FROM ? BigInt(value).toString() : String(value)
}

export const isLossyNumber = (value: number): boolean => !Number.isFinite(value) || Object.is(value, -0)
