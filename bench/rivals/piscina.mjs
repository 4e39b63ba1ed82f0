import { Piscina } from 'piscina'
import { POOL_LACKS, runInPool, TASK } from './pool-host.mjs'

const options = { filename: TASK, minThreads: 1, maxThreads: 4 }

export const rival = {
  package: 'piscina',
  language: 'typescript',
  lacks: [...POOL_LACKS, 'no fresh worker for a task: in these rows by a pool for each run'],
  modes: [
    {
      name: 'a pool for each run',
      start: async () => ({
        run: async (job) => {
          const pool = new Piscina({ ...options, maxThreads: 1 })
          try {
            return await runInPool(pool, job)
          } finally {
            await pool.destroy()
          }
        },
        stop: () => {},
      }),
    },
    {
      name: 'reused workers: state leaks',
      start: async () => {
        const pool = new Piscina(options)
        return { run: (job) => runInPool(pool, job), stop: () => pool.destroy() }
      },
    },
  ],
}
