import { expect, test } from 'vitest'
import { describeExit, type GuestExit } from '../../src/domain/exit.js'

test.each<[GuestExit, string]>([
  [{ type: 'exited', code: 7 }, 'the guest exited with code 7 before completing'],
  [{ type: 'exited', code: 0 }, 'the guest exited with code 0 before completing'],
  [{ type: 'killed', signal: 'SIGKILL' }, 'the guest was killed by SIGKILL before completing'],
  [{ type: 'failed-to-start', message: 'spawn error: EMFILE' }, 'the guest failed to start: spawn error: EMFILE'],
  [{ type: 'crashed', message: 'out of memory' }, 'the guest crashed before completing: out of memory'],
])('%o reads: %s', (exit, text) => {
  expect(describeExit(exit)).toBe(text)
})
