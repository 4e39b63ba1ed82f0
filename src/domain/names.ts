const words = (text: string): string[] => text.trim().split(/\s+/)

/** Keywords of ECMAScript (strict mode included) and Python (soft keywords included), and immutable globals. */
const RESERVED_WORDS: ReadonlySet<string> = new Set(
  words(`
    arguments await break case catch class const continue debugger default delete do else enum eval export extends
    false finally for function if implements import in instanceof interface let new null package private protected
    public return static super switch this throw true try typeof var void while with yield
    undefined NaN Infinity globalThis
    False None True and as assert async def del elif except from global is lambda nonlocal not or pass raise
    match type _
  `),
)

/** Names that a guest's own bootstrap puts into the program's scope. */
export const RUNTIME_OWNED_NAMES: ReadonlySet<string> = new Set(
  words(`
    console
    __builtins__ __name__ __debug__ __doc__ __file__ __package__ __loader__ __spec__ __annotations__ __annotate__
    __conditional_annotations__ __main__ __import__ __build_class__ __code_runtime_main__
  `),
)

/** Own attributes of errors in either language: an error's member name cannot live there. */
export const RESERVED_ERROR_MEMBERS: ReadonlySet<string> = new Set(
  words('name message stack args with_traceback add_note'),
)

const PORTABLE_IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/
const DUNDER = /^__.+__$/s

/** An identifier that every guest language can declare. */
export const isPortableIdentifier = (name: string): boolean => PORTABLE_IDENTIFIER.test(name) && !isReservedWord(name)

export const isReservedWord = (name: string): boolean => RESERVED_WORDS.has(name)

/** `__x__`: two underscores, a non-empty middle, two underscores. */
export const isDunder = (name: string): boolean => DUNDER.test(name)

/** Why `name` cannot be a global of the program, or nothing. */
export const checkGlobalName = (name: unknown): string | undefined => {
  if (typeof name !== 'string') return 'is not a usable identifier: expected a string'
  if (!isPortableIdentifier(name)) {
    return 'is not a usable identifier in every guest language (expected [A-Za-z_][A-Za-z0-9_]* and no reserved word of ECMAScript or Python)'
  }
  if (RUNTIME_OWNED_NAMES.has(name)) return 'is reserved: a runtime-owned name'
  return undefined
}

/** Why `name` cannot be the property of an error that carries the member's name, or nothing. */
export const checkErrorMember = (name: unknown): string | undefined => {
  if (typeof name !== 'string' || name === '') return 'is not usable: expected a non-empty string'
  if (RESERVED_ERROR_MEMBERS.has(name) || isDunder(name)) return 'is not usable: a reserved error member'
  return undefined
}
