import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { timed } from '../measure.mjs'

// As a guest has it: numpy's library starts no threads.
const env = { ...process.env, OPENBLAS_NUM_THREADS: '1' }

/** A whole process, from spawn to exit. */
export const liveInterpreter = async (path, args) => {
  const [code] = await once(spawn(path, args, { env, stdio: 'ignore' }), 'exit')
  if (code !== 0) throw new Error(`${path} ${args.join(' ')} ended with ${code}`)
}

const ECHO = `
import os
rest = b""
while True:
    piece = os.read(3, 1 << 20)
    if not piece: break
    *lines, rest = (rest + piece).split(b"\\n")
    for line in lines: os.write(3, line + b"\\n")
`

/** JSON lines on descriptor 3, sent back as they are: the floor of a process guest's channel. */
export const startEchoInterpreter = (path) => {
  const child = spawn(path, ['-I', '-S', '-c', ECHO], { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] })
  const pipe = child.stdio[3]
  let missing = 0
  let resolve = () => {}
  pipe.on('data', (piece) => {
    for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) missing -= 1
    if (missing <= 0) resolve()
  })
  const echo = (texts) =>
    new Promise((done) => {
      missing = texts.length
      resolve = done
      pipe.write(`${texts.join('\n')}\n`)
    })
  return {
    pid: child.pid,
    echo,
    stop: async () => {
      child.kill('SIGKILL')
      await once(child, 'close')
    },
  }
}

/** Milliseconds from the first line to an interpreter that is ready to its end. */
export const timeReadyInterpreter = async (path) => {
  const child = startEchoInterpreter(path)
  await child.echo(['{}'])
  return timed(async () => {
    await child.echo(['{"type":"run"}'])
    await child.stop()
  })
}
