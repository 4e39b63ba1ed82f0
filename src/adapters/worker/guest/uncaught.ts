const { apply } = Reflect
const worker = process
const { emit, listenerCount } = process
const CaptureError = Error

/**
 * An uncaught throw or a floating rejection fails the run, unless the program listens for it itself. The capture is
 * what the program cannot take away: without any, Node 20 and 22 abort the whole process at an uncaught SyntaxError.
 */
export const watchUncaught = (fail: (error: unknown) => void): void => {
  keepEmit()
  worker.on('unhandledRejection', (error: unknown) => {
    if (apply(listenerCount, worker, ['unhandledRejection']) === 1) fail(error)
  })
  worker.setUncaughtExceptionCaptureCallback((error: unknown) => {
    if (!isHeard(error)) fail(error)
  })
  worker.setUncaughtExceptionCaptureCallback = () => {
    throw new CaptureError('the capture of uncaught exceptions is taken: listen for uncaughtException')
  }
}

const isHeard = (error: unknown): boolean => {
  try {
    return apply(emit, worker, ['uncaughtException', error, 'uncaughtException'])
  } catch {
    return false
  }
}

// Node looks `process.emit` up before it asks the capture.
const keepEmit = (): void => {
  Object.defineProperty(worker, 'emit', { get: () => emit, set: () => {}, enumerable: true })
}
