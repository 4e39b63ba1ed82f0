import type { RunEvent } from '../../domain/outcome.js'
import type { Programs } from './case.js'

export const LOOP_LIMITS = { maxWallMs: 20_000 }
/** A loop that first says that it runs. */
export const HEARD_LOOP: Programs = {
  javascript: `console.log('started'); for (;;) {}`,
  python: `print('started')\nwhile True: pass`,
}

export const isState = (event: RunEvent, state: string): boolean => event.type === 'state' && event.state === state
