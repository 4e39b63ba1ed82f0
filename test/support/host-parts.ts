/** What scripts of a host process may use beyond the public entry. */
export { NodeProcessControl } from '../../src/adapters/process/process-control.js'
export { SystemClock } from '../../src/adapters/system-clock.js'
export { SwcTransformer } from '../../src/adapters/typescript/transformer.js'
export { WorkerLauncher } from '../../src/adapters/worker/launcher.js'
export { createCodeRuntime } from '../../src/index.js'
