/** Resolves in the next turn of the event loop: what was settled before has been seen by everybody. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** What a promise came to within a few turns, or that it did not. */
export const soon = async <Value>(promise: Promise<Value>): Promise<Value | 'still pending'> => {
  let outcome: { value: Value } | { error: unknown } | undefined
  promise.then(
    (value) => {
      outcome = { value }
    },
    (error: unknown) => {
      outcome = { error }
    },
  )
  for (let turns = 0; turns < 5 && outcome === undefined; turns += 1) await turn()
  if (outcome === undefined) return 'still pending'
  if ('error' in outcome) throw outcome.error
  return outcome.value
}
