const PRIVATE_USE = [0xe000, 0xe800, 0xf000]
const FIRST_SURROGATE = 0xd800
const SURROGATES = 0x800

export interface HiddenSurrogates {
  readonly source: string
  reveal(text: string): string
  /** For messages, where swc spells them `\u{e000}`. */
  revealEscapes(text: string): string
}

/** WebAssembly takes no lone surrogates: characters that the program does not use stand for them meanwhile. */
export const hideLoneSurrogates = (program: string): HiddenSurrogates => {
  if (!/\p{Cs}/u.test(program)) return { source: program, reveal: same, revealEscapes: same }
  const base = PRIVATE_USE.find((start) => !block(start).test(program)) ?? FIRST_SURROGATE
  return {
    source: program.replace(/\p{Cs}/gu, (unit) => shift(unit, base - FIRST_SURROGATE)),
    reveal: (text) => text.replace(block(base), (unit) => shift(unit, FIRST_SURROGATE - base)),
    revealEscapes: (text) =>
      text.replace(/(?<=\\u\{)[ef][\da-f]{3}(?=\})/g, (hex) => spell(hex, FIRST_SURROGATE - base)),
  }
}

const block = (start: number): RegExp =>
  new RegExp(`[\\u${start.toString(16)}-\\u${(start + SURROGATES - 1).toString(16)}]`, 'g')

const shift = (unit: string, by: number): string => String.fromCharCode(unit.charCodeAt(0) + by)

const spell = (hex: string, by: number): string => (Number.parseInt(hex, 16) + by).toString(16)

const same = (text: string): string => text
