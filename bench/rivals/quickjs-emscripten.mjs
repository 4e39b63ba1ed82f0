import { getQuickJS, shouldInterruptAfterDeadline } from 'quickjs-emscripten'
import { give } from './jobs.mjs'

const LIMIT_MS = 120_000

const runIn = async (quickjs, { javascript }) => {
  const vm = quickjs.newContext()
  vm.runtime.setMemoryLimit(128 * 1024 * 1024)
  vm.runtime.setInterruptHandler(shouldInterruptAfterDeadline(Date.now() + LIMIT_MS))
  try {
    addTools(vm)
    const promise = vm.unwrapResult(vm.evalCode(`(async () => { ${javascript} })()`))
    const settled = vm.resolvePromise(promise)
    vm.runtime.executePendingJobs()
    const handle = vm.unwrapResult(await settled)
    const value = vm.dump(handle)
    for (const used of [handle, promise]) used.dispose()
    return value
  } finally {
    vm.dispose()
  }
}

const addTools = (vm) => {
  const tools = vm.newObject()
  const call = vm.newFunction('give', (argument) => {
    const promise = vm.newPromise()
    void give(vm.dump(argument)).then((value) => {
      const handle = vm.newNumber(value)
      promise.resolve(handle)
      handle.dispose()
    })
    void promise.settled.then(() => vm.runtime.executePendingJobs())
    return promise.handle
  })
  vm.setProp(tools, 'give', call)
  vm.setProp(vm.global, 'tools', tools)
  for (const handle of [call, tools]) handle.dispose()
}

export const rival = {
  package: 'quickjs-emscripten',
  language: 'typescript',
  lacks: [
    'QuickJS, an interpreter: no JIT',
    'runs in the host thread: a loop blocks the host until its deadline',
    'no Node modules, no console',
    'no TypeScript',
    'no Python',
    'bridging by handles, logs and accounts are left to the app',
  ],
  modes: [
    {
      name: 'fresh runtime in one WASM module',
      start: async () => {
        const quickjs = await getQuickJS()
        return { run: (job) => runIn(quickjs, job), stop: () => {} }
      },
    },
  ],
}
