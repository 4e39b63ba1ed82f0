import { describe, expect, it } from 'vitest'
import { useRuntime } from '../support/runtimes.js'

describe('TypeScript', () => {
  const { run } = useRuntime({ limits: { maxWallMs: 20_000 } })

  it('a program that takes the parser very long is ended, and the next one is not', async () => {
    const { error } = await run(`${'('.repeat(200_000)}1${')'.repeat(200_000)}`)
    expect(error?.kind).toBe('exception')
    expect(await run('return 1')).toMatchObject({ value: 1 })
  })
})
