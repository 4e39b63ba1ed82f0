const { apply } = Reflect
const { emit, listenerCount } = process

/**
 * An uncaught throw or a floating rejection fails the run, unless the program listens for it itself. The capture is
 * what the program cannot take away: without any, Node 20 and 22 abort the whole process at an uncaught SyntaxError.
 */
export const watchUncaught = (fail: (error: unknown) => void): void => {
  process.on('unhandledRejection', (error: unknown) => {
    if (apply(listenerCount, process, ['unhandledRejection']) === 1) fail(error)
  })
  process.setUncaughtExceptionCaptureCallback((error: unknown) => {
    const isHeard = apply(emit, process, ['uncaughtException', error, 'uncaughtException'])
    if (!isHeard) fail(error)
  })
  process.setUncaughtExceptionCaptureCallback = () => {
    throw new Error('the capture of uncaught exceptions is taken: listen for uncaughtException')
  }
}
