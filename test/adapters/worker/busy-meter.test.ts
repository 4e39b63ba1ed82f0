import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { BusyMeter } from '../../../src/adapters/worker/busy-meter.js'

const PROGRAM = `
const { parentPort } = require('node:worker_threads')
parentPort.on('message', (ms) => {
  const end = performance.now() + ms
  while (performance.now() < end);
  parentPort.postMessage('done')
})
parentPort.postMessage('ready')`

it('counts what a worker computes, and no waiting', async () => {
  const worker = new Worker(PROGRAM, { eval: true })
  await once(worker, 'message')
  const meter = new BusyMeter(worker)
  await new Promise((resolve) => setTimeout(resolve, 150))
  const waited = meter.busyMs
  worker.postMessage(200)
  await once(worker, 'message')
  const worked = meter.busyMs
  await worker.terminate()
  expect(waited).toBeLessThan(100)
  expect(worked - waited).toBeGreaterThan(150)
})
