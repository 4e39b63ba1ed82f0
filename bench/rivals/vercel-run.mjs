import { createRunner } from 'run'
import { give } from './jobs.mjs'

export const rival = {
  package: 'run',
  language: 'typescript',
  lacks: [
    'QuickJS, an interpreter: no JIT',
    'no Node modules',
    'TypeScript on Node 20 only with the package typescript (5, not 6) in the host',
    'no Python',
    'console goes to the output of the host, not to the result',
    'no account of calls or cost',
    'at most 32 calls at once and 256 in all unless raised',
    'no queue: runs over its cap of workers are refused',
  ],
  modes: [
    {
      name: 'fresh context in a pooled worker',
      start: async () => {
        const runner = createRunner({ limits: { maxInFlightBridgeRequests: 128, timeoutMs: 120_000 } })
        const hostFunctions = { tools: { give } }
        return {
          run: async ({ javascript }) => (await runner.run({ source: javascript, hostFunctions })).value,
          stop: () => {},
        }
      },
    },
  ],
}
