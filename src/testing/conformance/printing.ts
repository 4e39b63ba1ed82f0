import type { Requirement } from './capabilities.js'
import type { Programs } from './case.js'

/** A program that writes pieces to a stream, each on its own. */
export const writing = (pieces: readonly string[]): Programs => ({
  javascript: `for (const piece of ${JSON.stringify(pieces)}) process.stdout.write(piece); return 1`,
  python: `import sys\nfor piece in ${JSON.stringify(pieces)}:\n  sys.stdout.write(piece)\n  sys.stdout.flush()\nreturn 1`,
})

/** A program that prints whole lines. */
export const printing = (...lines: readonly string[]): Programs => ({
  javascript: `for (const line of ${JSON.stringify(lines)}) console.log(line); return 1`,
  python: `for line in ${JSON.stringify(lines)}: print(line)\nreturn 1`,
})

/** A program that writes bytes, chunk by chunk. */
export const writingBytes = (chunks: readonly (readonly number[])[]): Programs => ({
  javascript: `for (const chunk of ${JSON.stringify(chunks)}) process.stdout.write(Uint8Array.from(chunk))`,
  python: `import os\nfor chunk in ${JSON.stringify(chunks)}: os.write(1, bytes(chunk))`,
})

/** What a program prints, and what must be logged. */
export type PrintedRow = readonly [programs: Programs, logs: readonly unknown[], ...requires: Requirement[]]
