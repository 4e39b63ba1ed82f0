/**
 * Evaluated in the realm of the program before it: makes the agent, puts `console` into the global scope, and gives the
 * function that takes the frames of the host.
 */
export const REALM = `(createAgent, createServices, post, evaluate, outOfMemory) => {
  const { stringify } = JSON
  const { apply, defineProperty } = Reflect
  const { slice } = String.prototype
  const { map, join } = Array.prototype
  const EngineError = InternalError
  const MAX_CHARS = 10000

  const render = (value) => {
    if (typeof value === 'function') return '[Function]'
    if (typeof value === 'bigint') return String(value) + 'n'
    if (typeof value !== 'object' || value === null) return String(value)
    if (value instanceof Error) return String(value)
    return stringify(value) ?? '[object]'
  }
  const inspect = (value) => {
    try {
      return apply(slice, render(value), [0, MAX_CHARS])
    } catch {
      return '[object]'
    }
  }

  const services = createServices({ post, evaluate, inspect })
  const start = services.start
  services.start = (code, returned, threw) =>
    start(code, returned, (error) => {
      if (error instanceof EngineError && error.message === 'out of memory') outOfMemory()
      else threw(error)
    })
  const agent = createAgent(services)

  const writer = (stream) => (...values) => {
    const texts = apply(map, values, [(value) => (typeof value === 'string' ? value : inspect(value))])
    agent.print(stream, apply(join, texts, [' ']) + '\\n')
  }
  const toStdout = writer('stdout')
  const toStderr = writer('stderr')
  const methods = { __proto__: null, log: toStdout, info: toStdout, debug: toStdout, warn: toStderr, error: toStderr }
  defineProperty(globalThis, 'console', { value: methods, writable: true, configurable: true })
  return agent.receive
}`
