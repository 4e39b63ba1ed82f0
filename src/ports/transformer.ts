/** Turns the model's TypeScript, the body of an async function in strict mode, into JavaScript. Never starts a guest. */
export interface Transformer {
  transform(program: string): Promise<Transformed>
  /** Ends what it keeps running. Called once, by `dispose()` of the runtime. */
  dispose?(): Promise<void>
}

export type Transformed =
  /** A function body at the program's own lines and columns, or one that ends with a source map to them. */
  | { readonly ok: true; readonly code: string }
  /** The diagnostic for the model that wrote the program. */
  | { readonly ok: false; readonly message: string }
