import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitJsonText, jsonTextBytes } from '../../src/domain/json-cost.js'
import { holds } from '../support/property.js'

const anyText = fc.string({ unit: 'binary', maxLength: 40 })
const bounds = [0x1f, 0x20, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff]
const anyUnits = fc
  .array(fc.oneof(fc.constantFrom(...bounds), fc.nat(0xffff)), { maxLength: 20 })
  .map((units) => String.fromCharCode(...units))
const jsonBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2

test.each([
  ['a letter', 'a', 1],
  ['a space', ' ', 1],
  ['DEL', '\x7f', 1],
  ['the first letter of two bytes', '\x80', 2],
  ['the last letter of two bytes', '\u07ff', 2],
  ['the first letter of three bytes', '\u0800', 3],
  ['the last letter before the surrogates', '\ud7ff', 3],
  ['the first letter after the surrogates', '\ue000', 3],
  ['the last letter of three bytes', '\uffff', 3],
  ['the first astral character', '\u{10000}', 4],
  ['the last astral character', '\u{10ffff}', 4],
  ['the first lone surrogate', '\ud800', 6],
  ['the last lone high surrogate', '\udbff', 6],
  ['the first lone low surrogate', '\udc00', 6],
  ['the last lone surrogate', '\udfff', 6],
  ['a high surrogate and what is just no low one', '\ud800\udbff', 12],
  ['a high surrogate and a letter after the surrogates', '\ud800\ue000', 9],
  ['two low surrogates', '\udc00\udc00', 12],
  ['a quote', '"', 2],
  ['a backslash', '\\', 2],
  ['a short escape', '\b', 2],
  ['a short escape', '\t', 2],
  ['a short escape', '\n', 2],
  ['a short escape', '\f', 2],
  ['a short escape', '\r', 2],
  ['NUL', '\0', 6],
  ['another control', '\x0b', 6],
  ['the last control', '\x1f', 6],
  ['a letter of two bytes', 'é', 2],
  ['U+FFFD', '\ufffd', 3],
  ['U+2028', '\u2028', 3],
  ['an astral character', '😀', 4],
  ['a lone high surrogate', '\ud83d', 6],
  ['a lone low surrogate', '\ude00', 6],
  ['a pair in the wrong order', '\ude00\ud83d', 12],
  ['a high surrogate before a letter', '\ud83da', 7],
])('%s costs what its JSON has: %j', (_what, text, bytes) => {
  expect(jsonTextBytes(text, 100)).toBe(bytes)
  expect(jsonBytes(text)).toBe(bytes)
})

test('the cost of any text is that of its JSON, and exactly the budget is enough', () => {
  holds(
    fc.property(fc.oneof(anyText, anyUnits), (text) => {
      const bytes = jsonBytes(text)
      expect(jsonTextBytes(text, bytes)).toBe(bytes)
      expect(jsonTextBytes(text, bytes - 1)).toBeUndefined()
    }),
  )
})

test('the prefix that fits is the longest of whole code points', () => {
  holds(
    fc.property(fc.oneof(anyText, anyUnits), fc.nat(60), (text, maxBytes) => {
      const { length, bytes } = fitJsonText(text, maxBytes)
      const next = text.slice(length).codePointAt(0)
      expect(jsonBytes(text.slice(0, length))).toBe(bytes)
      expect(bytes).toBeLessThanOrEqual(maxBytes)
      if (next !== undefined) expect(bytes + jsonBytes(String.fromCodePoint(next))).toBeGreaterThan(maxBytes)
    }),
  )
})

test('nothing fits into a negative budget, not even an empty text', () => {
  expect(jsonTextBytes('', 0)).toBe(0)
  expect(jsonTextBytes('', -1)).toBeUndefined()
  expect(fitJsonText('a', -1)).toEqual({ length: 0, bytes: 0 })
})
