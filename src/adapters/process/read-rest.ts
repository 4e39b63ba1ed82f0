import { readSync } from 'node:fs'
import type { Duplex } from 'node:stream'

/** No pipe of a process that is gone holds more. */
const MOST_BYTES = 1_048_576
const CHUNK_BYTES = 65_536

/** Reads what waits in the kernel for a pipe that is about to be destroyed. */
export const readRest = (pipe: Duplex, take: (chunk: Buffer) => void): void => {
  const fd = (pipe as { _handle?: { fd?: number } })._handle?.fd
  if (fd === undefined || fd < 0) return
  for (let bytes = 0; bytes < MOST_BYTES; ) {
    const chunk = readChunk(fd)
    if (chunk === undefined) return
    bytes += chunk.length
    take(chunk)
  }
}

const readChunk = (fd: number): Buffer | undefined => {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  try {
    const bytes = readSync(fd, chunk)
    return bytes === 0 ? undefined : chunk.subarray(0, bytes)
  } catch {
    return undefined
  }
}
