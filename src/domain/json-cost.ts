const SHORT_ESCAPES = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d])

const unitBytes = (text: string, index: number, unit: number): number => {
  if (unit < 0x20) return SHORT_ESCAPES.has(unit) ? 2 : 6
  if (unit < 0x80) return unit === 0x22 || unit === 0x5c ? 2 : 1
  if (unit < 0x800) return 2
  if (unit < 0xd800 || unit > 0xdfff) return 3
  return isPairAt(text, index, unit) ? 4 : 6
}

const isPairAt = (text: string, index: number, unit: number): boolean => {
  if (unit > 0xdbff || index + 1 >= text.length) return false
  const next = text.charCodeAt(index + 1)
  return next >= 0xdc00 && next <= 0xdfff
}

/**
 * The longest prefix of whole code points whose JSON string bytes (without the quotes) fit into `maxBytes`:
 * its length in code units and its bytes. Never walks further than it fits.
 */
export const fitJsonText = (text: string, maxBytes: number): { length: number; bytes: number } => {
  let bytes = 0
  let index = 0
  while (index < text.length) {
    const width = unitBytes(text, index, text.charCodeAt(index))
    if (bytes + width > maxBytes) break
    bytes += width
    index += width === 4 ? 2 : 1
  }
  return { length: index, bytes }
}

/** JSON string bytes of `text` without the quotes, or undefined when they exceed `maxBytes`. */
export const jsonTextBytes = (text: string, maxBytes: number): number | undefined => {
  if (text.length > maxBytes) return undefined
  const fit = fitJsonText(text, maxBytes)
  return fit.length === text.length ? fit.bytes : undefined
}
