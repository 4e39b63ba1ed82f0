import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import type { OutputStream } from '../../../domain/outcome.js'

type Write = (stream: OutputStream, chunk: string | Uint8Array, encoding?: BufferEncoding) => void
type Chunk = string | NodeJS.ArrayBufferView

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
  const original = { ...fs }
  const take = (stream: OutputStream, data: Chunk, offset: unknown, length: unknown): number => {
    const chunk = typeof data === 'string' ? data : viewOf(data, offset, length)
    write(stream, chunk)
    return typeof chunk === 'string' ? byteLength(chunk) : chunk.length
  }
  const writeSync = (...args: unknown[]): unknown => {
    const stream = streamOf(args[0])
    if (stream === undefined) return apply(original.writeSync, fs, args)
    return take(stream, args[1] as Chunk, args[2], args[3])
  }
  const writeAsync = (...args: unknown[]): unknown => {
    const stream = streamOf(args[0])
    const callback = args[args.length - 1]
    if (stream === undefined || typeof callback !== 'function') return apply(original.write, fs, args)
    const written = take(stream, args[1] as Chunk, args[2], args[3])
    return nextTick(callback as (...results: unknown[]) => void, null, written, args[1])
  }
  const wholeFile =
    (method: (...args: never[]) => unknown) =>
    (...args: unknown[]): unknown => {
      const stream = streamOf(args[0])
      if (stream === undefined) return apply(method, fs, args)
      take(stream, args[1] as Chunk, undefined, undefined)
      return undefined
    }
  const takeAll = (stream: OutputStream, chunks: readonly Chunk[]): number => {
    let written = 0
    for (let index = 0; index < chunks.length; index += 1) {
      written += take(stream, chunks[index] as Chunk, undefined, undefined)
    }
    return written
  }
  const writevSync = (...args: unknown[]): unknown => {
    const stream = streamOf(args[0])
    if (stream === undefined) return apply(original.writevSync, fs, args)
    return takeAll(stream, args[1] as Chunk[])
  }
  const writev = (...args: unknown[]): unknown => {
    const stream = streamOf(args[0])
    const callback = args[args.length - 1]
    if (stream === undefined || typeof callback !== 'function') return apply(original.writev, fs, args)
    const written = takeAll(stream, args[1] as Chunk[])
    return nextTick(callback as (...results: unknown[]) => void, null, written, args[1])
  }
  Object.assign(fs, {
    writevSync,
    writev,
    writeSync,
    write: writeAsync,
    writeFileSync: wholeFile(original.writeFileSync),
    appendFileSync: wholeFile(original.appendFileSync),
  })
  syncBuiltinESMExports()
}

const viewOf = (data: NodeJS.ArrayBufferView, offset: unknown, length: unknown): Uint8Array => {
  const start = typeof offset === 'number' ? offset : 0
  const size = typeof length === 'number' ? length : data.byteLength - start
  return new Bytes(data.buffer, data.byteOffset + start, size)
}
