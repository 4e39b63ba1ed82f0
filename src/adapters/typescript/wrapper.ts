const OPEN = '(async()=>{\n'
const CLOSE = '\n})'
const PRINTED_OPEN = 'async ()=>{'
const PRINTED_CLOSE = '};\n'

/** The program as the body of an async function that begins on a line of its own. */
export const wrap = (program: string): string => OPEN + program + CLOSE

/** A wrapper that no text fits which closes the other one. */
export const wrapInDeclaration = (program: string): string => `async function program(){\n${program}\n}`

/** The beginning of a wrapped program, for asking whether it is complete already. */
export const openWrapper = (beginning: string): string => OPEN + beginning

export const unwrapStripped = (code: string): string => code.slice(OPEN.length, -CLOSE.length)

/** What swc printed for the body; `undefined` when the program closed the wrapper itself. */
export const unwrapPrinted = (code: string): string | undefined =>
  code.startsWith(PRINTED_OPEN) && code.endsWith(PRINTED_CLOSE)
    ? code.slice(PRINTED_OPEN.length + 1, -PRINTED_CLOSE.length)
    : undefined
