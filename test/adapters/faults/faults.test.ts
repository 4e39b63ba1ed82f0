import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { said, useHostProcess } from '../../support/host-process.js'
import { ADAPTERS, type Fault, type Outcome } from './fault.js'
import { script } from './host-script.js'
import { FAULTS } from './table.js'

// Each fault is made in a host process of its own, real where the system can be brought to it, else at the port. The
// run settles, the next one is clean, and after dispose the host holds what it held before.

const temp = mkdtempSync(join(tmpdir(), 'faults-'))
chmodSync(temp, 0o777)
afterAll(() => rmSync(temp, { recursive: true }))

const host = useHostProcess('test/support/host-parts.ts')

const needed = new Map<Fault['needs'], boolean>()

/** Asked once; what the system does not allow is skipped, visibly. */
const isPossible = ({ needs }: Fault): boolean => {
  const known = needed.get(needs) ?? (needs === undefined || needs())
  needed.set(needs, known)
  return known
}

const shape = (outcome: Outcome): object =>
  'value' in outcome ? outcome : { error: { kind: outcome.kind, message: expect.stringMatching(outcome.message) } }

describe.each(ADAPTERS)('%s', (adapter) => {
  for (const fault of FAULTS) {
    const outcome = fault.expected[adapter]
    if (outcome === undefined) continue
    test.skipIf(!isPossible(fault))(fault.title, async () => {
      const { uid, leftByNode } = fault
      // Another user cannot write where this one collects coverage.
      const user = uid === undefined ? {} : { uid }
      const env = { TMPDIR: temp, ...(uid === undefined ? {} : { NODE_V8_COVERAGE: '' }) }
      const end = await host(script(adapter, fault), { env, ...user })
      const [, { left, ...result }] = said(end) as [string, { left: string[] }]
      expect(result).toEqual({ ...shape(outcome), next: 1 })
      expect(left.filter((item) => !leftByNode?.includes(item))).toEqual([])
      expect(end.stderr).toBe('')
    })
  }
})
