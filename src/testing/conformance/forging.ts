import type { Programs } from './case.js'

export const RETURN_1: Programs = { javascript: 'return 1', python: 'return 1' }
export const LOOP: Programs = { javascript: 'for (;;) {}', python: 'while True: pass' }

/** A program that writes its own frames to the channel, and then goes on. */
export const forging = (frames: readonly unknown[], rest: Programs): Programs => {
  const texts = JSON.stringify(frames.map((frame) => (typeof frame === 'string' ? frame : JSON.stringify(frame))))
  const { javascript, python } = rest
  return {
    ...(javascript !== undefined && {
      javascript: `const { parentPort } = await import('node:worker_threads')\nfor (const frame of ${texts}) parentPort.postMessage(frame)\n${javascript}`,
    }),
    ...(python !== undefined && {
      python: `import os\nfor frame in ${texts}: os.write(3, frame.encode('utf-8', 'surrogatepass') + b'\\n')\n${python}`,
    }),
  }
}
