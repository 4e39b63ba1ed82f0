import { describe, it } from 'vitest'
import { OWN_BACKENDS } from '../../../src/cli/own-backends.js'
import { registerConformance } from '../../../src/testing.js'

/** Registers the published suite for the own backends of a name. */
export const registerOwn = (name: string): void => {
  const own = OWN_BACKENDS.find((row) => row.name === name)
  if (own === undefined) throw new Error(`there is no own backend ${name}`)
  describe.skipIf(!own.isAvailable)(name, () => registerConformance({ describe, it }, own.backend))
}
