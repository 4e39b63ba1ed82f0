import { Worker } from 'node:worker_threads'
import { timed } from '../measure.mjs'

const ECHO = `
const { parentPort } = require('node:worker_threads')
parentPort.on('message', (text) => parentPort.postMessage(text))
parentPort.postMessage('ready')
`

/** A worker that does nothing but send texts back: the floor of what a worker-thread guest can be. */
export const startEchoWorker = async () => {
  const worker = new Worker(ECHO, { eval: true, env: {}, execArgv: [], stdout: true, stderr: true })
  const next = () => new Promise((resolve) => worker.once('message', resolve))
  await next()
  return {
    echo: (text) => {
      const answer = next()
      worker.postMessage(text)
      return answer
    },
    echoAll: (texts) =>
      new Promise((resolve) => {
        let missing = texts.length
        worker.on('message', () => {
          missing -= 1
          if (missing === 0) resolve(worker.removeAllListeners('message'))
        })
        for (const text of texts) worker.postMessage(text)
      }),
    stop: () => worker.terminate(),
  }
}

/** A bare worker's whole life: start, `messages` round trips at once, stop. */
export const liveWorker = async (messages) => {
  const worker = await startEchoWorker()
  await worker.echoAll(textsOf(messages))
  await worker.stop()
}

/** Milliseconds from the start of a bare worker to its last answer. */
export const timeNewWorker = (messages) => timeAnswers(startEchoWorker, messages)

/** Milliseconds from the first message to a bare worker that is ready to its last answer. */
export const timeReadyWorker = async (messages) => {
  const worker = await startEchoWorker()
  return timeAnswers(() => worker, messages)
}

const timeAnswers = async (start, messages) => {
  let worker
  const ms = await timed(async () => {
    worker = await start()
    await worker.echoAll(textsOf(messages))
  })
  await worker.stop()
  return ms
}

const textsOf = (count) => Array.from({ length: count }, (_, id) => `{"id":${id}}`)
