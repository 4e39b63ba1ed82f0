import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import type { OutputStream } from '../../../domain/outcome.js'

type Write = (stream: OutputStream, chunk: string | Uint8Array, encoding?: BufferEncoding) => void
type Call = (...args: unknown[]) => unknown
/** Takes the arguments of a write, and tells how many bytes that were. */
type Take = (stream: OutputStream, args: readonly unknown[]) => number

const { apply } = Reflect
const { byteLength } = Buffer
const { nextTick } = process
const Bytes = Uint8Array

const streamOf = (descriptor: unknown): OutputStream | undefined => {
  if (descriptor === 1) return 'stdout'
  return descriptor === 2 ? 'stderr' : undefined
}

/**
 * Descriptors 1 and 2 of a worker are the host's: what a program writes there through `node:fs` is captured instead.
 * Native code and subprocesses still reach the host's, which docs/security.md says.
 */
export const captureDescriptors = (write: Write): void => {
  const take = (stream: OutputStream, data: unknown, offset?: unknown, length?: unknown): number => {
    const chunk = typeof data === 'string' ? data : viewOf(data as NodeJS.ArrayBufferView, offset, length)
    write(stream, chunk)
    return typeof chunk === 'string' ? byteLength(chunk) : chunk.length
  }
  // By index: destructuring would ask the iterator of arrays, which the program can rebind.
  const takeOne: Take = (stream, args) => take(stream, args[1], args[2], args[3])
  const takeAll: Take = (stream, args) => {
    const chunks = args[1] as readonly unknown[]
    let written = 0
    for (let index = 0; index < chunks.length; index += 1) written += take(stream, chunks[index])
    return written
  }
  Object.assign(fs, {
    writeSync: atOnce(fs.writeSync as Call, takeOne),
    writevSync: atOnce(fs.writevSync as Call, takeAll),
    writeFileSync: atOnce(fs.writeFileSync as Call, takeOne),
    appendFileSync: atOnce(fs.appendFileSync as Call, takeOne),
    write: withCallback(fs.write as Call, takeOne),
    writev: withCallback(fs.writev as Call, takeAll),
  })
  syncBuiltinESMExports()
}

const atOnce =
  (original: Call, take: Take): Call =>
  (...args) => {
    const stream = streamOf(args[0])
    return stream === undefined ? apply(original, fs, args) : take(stream, args)
  }

const withCallback =
  (original: Call, take: Take): Call =>
  (...args) => {
    const stream = streamOf(args[0])
    const callback = args[args.length - 1]
    if (stream === undefined || typeof callback !== 'function') return apply(original, fs, args)
    return nextTick(callback as Call, null, take(stream, args), args[1])
  }

const viewOf = (data: NodeJS.ArrayBufferView, offset: unknown, length: unknown): Uint8Array => {
  const start = typeof offset === 'number' ? offset : 0
  const size = typeof length === 'number' ? length : data.byteLength - start
  return new Bytes(data.buffer, data.byteOffset + start, size)
}
