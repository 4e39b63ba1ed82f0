import type { BindingNamespace } from '../../domain/request.js'

/** Members that every suite needs: it answers, it refuses, it never answers. */
export const TOOLS = {
  echo: (args: unknown) => args,
  one: () => 1,
  fail: () => {
    throw new Error('the host refused')
  },
  hang: () => new Promise<never>(() => {}),
} satisfies BindingNamespace['functions']

/** What no diagnostic may show: a path of the host, or a frame of this package or of Node. */
export const HOST_TRACES = new RegExp(
  [
    '/tmp/',
    'node_modules',
    'worker-entry',
    'code-runtime:',
    'node:internal',
    'file://',
    escaped(`${process.cwd()}/`),
  ].join('|'),
)

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** An object whose conversion to text throws. */
export const unconvertible = (): object => ({
  [Symbol.toPrimitive]: () => {
    throw new Error('no text')
  },
})

/** An object whose field throws when it is read. */
export const withThrowingGetter = (name: string, thrown: unknown): object =>
  Object.defineProperty({}, name, {
    enumerable: true,
    get: () => {
      throw thrown
    },
  })

/** The same fields behind getters, and the name of each field every time that it is read. */
export const withGetters = <Fields extends object>(fields: Fields): { object: Fields; reads: string[] } => {
  const reads: string[] = []
  const object = {} as Fields
  for (const [name, value] of Object.entries(fields)) {
    Object.defineProperty(object, name, { enumerable: true, get: () => reads.push(name) && value })
  }
  return { object, reads }
}
