/** The families of figures by name; each module exports `measure(context)`. */
export const FAMILIES = {
  start: () => import('./start.mjs'),
  sustained: () => import('./sustained.mjs'),
  calls: () => import('./calls.mjs'),
  values: () => import('./values.mjs'),
  codecs: () => import('./codecs.mjs'),
  python: () => import('./python-codec.mjs'),
  memory: () => import('./memory.mjs'),
  many: () => import('./event-loop/many.mjs'),
  rivals: () => import('./rivals/rivals.mjs'),
}
