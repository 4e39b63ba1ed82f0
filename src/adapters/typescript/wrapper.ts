// Two wrappers, because no text but a function body fits both: one that closes the first does not parse in the second.
const EXPRESSION = ['(async()=>{\n', '\n})'] as const
const DECLARATION = ['async function code_runtime_program(){\n', '\n}'] as const
const PRINTED = ['async function code_runtime_program() {', '}\n'] as const

/** The program as the body of an async function that begins on a line of its own, for stripping. */
export const wrapForStrip = (program: string): string => EXPRESSION[0] + program + EXPRESSION[1]

export const unwrapStripped = (code: string): string => code.slice(EXPRESSION[0].length, -EXPRESSION[1].length)

/** The same for printing anew. */
export const wrapForPrint = (program: string): string => DECLARATION[0] + program + DECLARATION[1]

/** Without the wrapper's line. */
export const unwrapPrinted = (code: string): string => code.slice(PRINTED[0].length + 1, -PRINTED[1].length)

/** The beginning of a wrapped program, for asking whether it is complete already. */
export const openWrapper = (beginning: string): string => EXPRESSION[0] + beginning
