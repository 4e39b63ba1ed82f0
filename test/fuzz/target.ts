import type fc from 'fast-check'

/** Something to fuzz: a property over what it makes for itself. */
export interface Target {
  readonly name: string
  /** Sets up what all examples share. */
  open(): Promise<OpenTarget>
}

export interface OpenTarget {
  // biome-ignore lint/suspicious/noExplicitAny: each target has examples of its own
  readonly property: fc.IAsyncProperty<any>
  close(): Promise<void>
}
