import inspector from 'node:inspector'
import { syncBuiltinESMExports } from 'node:module'
import v8 from 'node:v8'
import { MessagePort } from 'node:worker_threads'

const refuse = (name: string) => (): never => {
  throw new Error(`${name} would change the host's process: it is not available to a program`)
}

/**
 * Takes away what reaches past the worker by one call. No confinement: docs/security.md, "Not guaranteed in a worker
 * thread".
 */
export const hideProcessWide = (): void => {
  Object.assign(v8, { setFlagsFromString: refuse('v8.setFlagsFromString') })
  Object.assign(process, {
    binding: refuse('process.binding'),
    _getActiveHandles: () => [],
    _getActiveRequests: () => [],
  })
  Object.assign(inspector.Session.prototype, { connectToMainThread: refuse('connectToMainThread') })
  syncBuiltinESMExports()
  sealDispatch()
}

// Node looks this registered symbol up on a port at each message: a program could meet our port as `this`.
const sealDispatch = (): void => {
  const dispatch = Symbol.for('nodejs.internal.kHybridDispatch')
  const value: unknown = Reflect.get(MessagePort.prototype, dispatch)
  Object.defineProperty(MessagePort.prototype, dispatch, { value })
}
