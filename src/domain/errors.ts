// CodeRuntimeError
// ├── ConfigurationError   createCodeRuntime() was given an option that cannot work
// ├── MisuseError          run() was called in a way that no outcome can express
// └── InternalError        a bug of this package: please report it

export type ErrorCode = 'ERR_CONFIGURATION' | 'ERR_MISUSE' | 'ERR_INTERNAL'

const brandOf = (name: string): symbol => Symbol.for(`code-runtime.${name}`)

/** The root of what this package throws. `instanceof` holds across its ESM and CJS copies. */
export class CodeRuntimeError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.name = new.target.name
    for (
      let type: unknown = new.target;
      typeof type === 'function' && type !== Error;
      type = Object.getPrototypeOf(type)
    ) {
      Object.defineProperty(this, brandOf(type.name), { value: true })
    }
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: each subclass asks for its own brand
    return typeof value === 'object' && value !== null && brandOf(this.name) in value
  }
}

/** Rejects `createCodeRuntime()`; the message names the option, the bound and the value. */
export class ConfigurationError extends CodeRuntimeError {
  static override readonly name: string = 'ConfigurationError'
  constructor(message: string, options?: ErrorOptions) {
    super('ERR_CONFIGURATION', message, options)
  }
}

/** Rejects `run()`: a disposed runtime, or a request that breaks the rules for bindings. */
export class MisuseError extends CodeRuntimeError {
  static override readonly name: string = 'MisuseError'
  constructor(message: string, options?: ErrorOptions) {
    super('ERR_MISUSE', message, options)
  }
}

/** A rule of this package was broken by this package. */
export class InternalError extends CodeRuntimeError {
  static override readonly name: string = 'InternalError'
  constructor(message: string, options?: ErrorOptions) {
    super('ERR_INTERNAL', `${message} (a bug of code-runtime: please report it)`, options)
  }
}
