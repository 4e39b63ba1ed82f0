const faults: Error[] = []

const note = (what: string) => (reason: unknown) => {
  faults.push(new Error(`${what} in the host: ${reason instanceof Error ? reason.stack : String(reason)}`))
}

/** From now on the host goes on after what nobody caught, and tells of it. */
export const watchHost = (): void => {
  process.on('uncaughtException', note('an uncaught exception'))
  process.on('unhandledRejection', note('an unhandled rejection'))
  process.on('warning', note('a warning'))
}

/** What nobody caught since the last look. */
export const hostFaults = (): Error[] => faults.splice(0)
