import type { ConformanceMatrix } from '../matrix.js'
import { renderMarkdown } from './markdown.js'
import { renderText } from './text.js'

export const RENDER_FORMATS = ['text', 'json', 'markdown'] as const
export type RenderFormat = (typeof RENDER_FORMATS)[number]

/** The matrices side by side. Nothing in it depends on when or how fast they were made. */
export const render = (matrices: readonly ConformanceMatrix[], format: RenderFormat): string => {
  switch (format) {
    case 'text':
      return renderText(matrices)
    case 'json':
      return `${JSON.stringify(matrices, null, 2)}\n`
    case 'markdown':
      return renderMarkdown(matrices)
  }
}
