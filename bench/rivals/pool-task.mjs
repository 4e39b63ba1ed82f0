const AsyncFunction = (async () => {}).constructor

/** A task of a worker pool: runs the program text; its calls of the host go over a port, by hand. */
export default async function runProgram({ program, port }) {
  const waiting = new Map()
  let lastId = 0
  const give = (value) =>
    new Promise((resolve) => {
      lastId += 1
      waiting.set(lastId, resolve)
      port.postMessage({ id: lastId, value })
    })
  port.on('message', ({ id, value }) => {
    waiting.get(id)(value)
    waiting.delete(id)
  })
  try {
    return await new AsyncFunction('tools', program)({ give })
  } finally {
    port.close()
  }
}
