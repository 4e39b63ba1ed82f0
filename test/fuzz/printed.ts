import type { OutputStream, RunEvent } from '../../src/index.js'

/** What a stream printed, however it came in pieces; its last line is ended. */
export const printed = (events: readonly RunEvent[], stream: OutputStream): string =>
  events
    .flatMap((event) => (event.type === 'log' && event.stream === stream ? [event.text, event.open ? '' : '\n'] : []))
    .join('')
    .replace(/([^\n])$/, '$1\n')
