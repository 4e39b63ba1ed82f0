import { EventEmitter } from 'node:events'
import workerThreads, { type MessagePort } from 'node:worker_threads'
import { type ControlBlock, waitUntilTaken } from '../control-block.js'
import { messageSize } from '../message-size.js'

/** How far the worker may be ahead of the host; a flood would grow the host's memory. */
const WINDOW = 4_194_304

const { apply } = Reflect

/** A post to the host that blocks the worker while the host is too far behind. */
export const newPost = (port: MessagePort, control: ControlBlock): ((text: string) => void) => {
  const { postMessage } = port
  let sent = 0
  return (text) => {
    waitUntilTaken(control, sent, WINDOW)
    apply(postMessage, port, [text])
    sent = (sent + messageSize(text)) | 0
  }
}

/** What the program finds as `parentPort`: it can write any text to the channel, under the same back-pressure. */
export const replaceParentPort = (post: (text: string) => void): void => {
  const nothing = (): void => {}
  const facade = Object.assign(new EventEmitter(), {
    postMessage: (message: unknown): void => {
      if (typeof message === 'string') post(message)
    },
    addEventListener: nothing,
    removeEventListener: nothing,
    start: nothing,
    close: nothing,
    ref: nothing,
    unref: nothing,
  })
  Object.assign(workerThreads, { parentPort: facade, workerData: null })
}
