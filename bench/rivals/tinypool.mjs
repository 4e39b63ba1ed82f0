import { Tinypool } from 'tinypool'
import { POOL_LACKS, runInPool, TASK } from './pool-host.mjs'

const startPool = async (options) => {
  const pool = new Tinypool({ filename: TASK, maxThreads: 4, ...options })
  return { run: (job) => runInPool(pool, job), stop: () => pool.destroy() }
}

export const rival = {
  package: 'tinypool',
  language: 'typescript',
  lacks: POOL_LACKS,
  modes: [
    { name: 'a fresh worker for each task', start: () => startPool({ isolateWorkers: true, minThreads: 1 }) },
    { name: 'reused workers: state leaks', start: () => startPool({ minThreads: 1 }) },
  ],
}
