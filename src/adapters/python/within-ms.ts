import type { Clock } from '../../ports/clock.js'

/** Whether a promise settles in time. */
export const withinMs = (promise: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> =>
  new Promise((resolve) => {
    const cancel = clock.after(ms, () => resolve(false))
    const settled = (): void => {
      cancel()
      resolve(true)
    }
    promise.then(settled, settled)
  })
