import { fitJsonText, jsonTextBytes } from './json-cost.js'
import { prefixOf } from './text.js'

export const TRUNCATED_SUFFIX = '… [truncated]'
const SUFFIX_BYTES = 15

/** Cuts a diagnostic so that its JSON string, without the quotes, is at most `maxBytes`. */
export const capDiagnostic = (text: string, maxBytes: number): string => {
  if (jsonTextBytes(text, maxBytes) !== undefined) return text
  if (maxBytes < SUFFIX_BYTES) return TRUNCATED_SUFFIX
  return prefixOf(text, fitJsonText(text, maxBytes - SUFFIX_BYTES).length) + TRUNCATED_SUFFIX
}
