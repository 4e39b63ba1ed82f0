import { QuickJsLauncher } from './src/launcher.js'

/** What this backend has beyond what every backend owes. It has no timers, no streams and no modules of Node. */
export const capabilities = ['computeMs', 'maxHeapMb', 'syntax-check', 'cpu-usage']

export default () => QuickJsLauncher.create()
