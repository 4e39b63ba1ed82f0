import { Worker } from 'node:worker_threads'

const ECHO = `
const { parentPort } = require('node:worker_threads')
parentPort.on('message', (text) => parentPort.postMessage(text))
parentPort.postMessage('ready')
`

/** A worker that does nothing but send texts back: the floor of what a worker-thread guest can be. */
export const startEcho = async () => {
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
