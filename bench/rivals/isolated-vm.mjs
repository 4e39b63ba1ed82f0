import ivm from 'isolated-vm'
import { give } from './jobs.mjs'

const MEMORY_MB = 128

const runIn = async (isolate, { javascript }) => {
  const context = await isolate.createContext()
  const call = new ivm.Reference(give)
  try {
    return await context.evalClosure(
      `const tools = {
        give: (value) => $0.apply(undefined, [value], { arguments: { copy: true }, result: { promise: true, copy: true } }),
      }
      return (async () => { ${javascript} })()`,
      [call],
      { result: { promise: true, copy: true } },
    )
  } finally {
    call.release()
    context.release()
  }
}

export const rival = {
  package: 'isolated-vm',
  language: 'typescript',
  lacks: [
    'no Node modules, no console',
    'no TypeScript',
    'no Python',
    'bridging, time limits of async code, logs and accounts are left to the app',
    'a native module; Node 20 must run with --no-node-snapshot, and so it does in these rows',
  ],
  modes: [
    {
      name: 'fresh isolate',
      start: async () => ({
        run: async (job) => {
          const isolate = new ivm.Isolate({ memoryLimit: MEMORY_MB })
          try {
            return await runIn(isolate, job)
          } finally {
            isolate.dispose()
          }
        },
        stop: () => {},
      }),
    },
    {
      name: 'one isolate, fresh context',
      start: async () => {
        const isolate = new ivm.Isolate({ memoryLimit: MEMORY_MB })
        return { run: (job) => runIn(isolate, job), stop: () => isolate.dispose() }
      },
    },
  ],
}
