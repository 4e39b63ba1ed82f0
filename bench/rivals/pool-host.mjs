import { MessageChannel } from 'node:worker_threads'
import { give } from './jobs.mjs'

export const TASK = new URL('pool-task.mjs', import.meta.url).href

export const POOL_LACKS = [
  'a pool of tasks, no runtime of programs: text is evaluated and calls are bridged by hand in these rows',
  'no TypeScript',
  'no Python',
  'no budgets beyond resourceLimits, no logs, no account',
]

/** Runs a job as a task of a pool, with a port for its calls. */
export const runInPool = async (pool, { javascript }) => {
  const { port1, port2 } = new MessageChannel()
  port1.on('message', async ({ id, value }) => port1.postMessage({ id, value: await give(value) }))
  try {
    return await pool.run({ program: javascript, port: port2 }, { transferList: [port2] })
  } finally {
    port1.close()
  }
}
