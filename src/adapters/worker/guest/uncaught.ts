/** An uncaught throw or a floating rejection fails the run, unless the program listens for it itself. */
export const watchUncaught = (fail: (error: unknown) => void): void => {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      if (process.listenerCount(event) === 1) fail(error)
    })
  }
}
