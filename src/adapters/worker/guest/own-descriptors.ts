import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

type Call = (...args: unknown[]) => unknown

const { apply } = Reflect
const { nextTick } = process
const DescriptorError = Error

/** A worker shares its descriptors with the host: it may close only those that it opened itself. */
export const guardDescriptors = (): void => {
  const own: Record<number, boolean> = Object.create(null)
  const { openSync, open, closeSync, close } = fs
  const isForeign = (descriptor: unknown): boolean => typeof descriptor === 'number' && own[descriptor] !== true

  const guarded: Record<string, Call> = {
    openSync: (...args) => {
      const descriptor = apply(openSync, fs, args)
      own[descriptor] = true
      return descriptor
    },
    open: (...args) => {
      const opened = args[args.length - 1]
      if (typeof opened === 'function') {
        args[args.length - 1] = (error: unknown, descriptor: number) => {
          if (error === null) own[descriptor] = true
          apply(opened as Call, undefined, [error, descriptor])
        }
      }
      return apply(open, fs, args)
    },
    closeSync: (...args) => {
      if (isForeign(args[0])) throw badDescriptor()
      own[args[0] as number] = false
      return apply(closeSync, fs, args)
    },
    close: (...args) => {
      const [descriptor, closed] = args
      if (isForeign(descriptor)) return nextTick((closed ?? ignore) as Call, badDescriptor())
      own[descriptor as number] = false
      return apply(close, fs, args)
    },
  }
  Object.assign(fs, guarded)
  syncBuiltinESMExports()
}

const ignore = (): void => {}

const badDescriptor = (): Error =>
  Object.assign(new DescriptorError('EBADF: bad file descriptor, close: the program did not open it'), {
    code: 'EBADF',
  })
