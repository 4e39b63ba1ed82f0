import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// A thread cannot be started with --expose-gc; the flag is taken back so that guests do not see `gc`.
setFlagsFromString('--expose-gc')
globalThis.gc = runInNewContext('gc')
setFlagsFromString('--no-expose-gc')

process.on('warning', (warning) => {
  throw warning
})
