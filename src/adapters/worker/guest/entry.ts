// The program's realm: what here runs after the program has started uses only what it captured before.

import bridgeSource from 'bridge:source'
import { types } from 'node:util'
import { constants, createContext, Script } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import { nodeJsonEngine } from '../../json-engine.js'
import { type ControlBlock, noteConsumed, noteThreadId } from '../control-block.js'
import { ownThreadId } from '../thread-stats.js'
import { captureOutput } from './capture.js'
import { checkVmTexts } from './checked-vm.js'
import { newPost, replaceParentPort } from './host-port.js'
import { inspectBounded } from './inspect.js'
import { defineGlobal, namespaceDefiner, newPromise } from './namespace.js'
import { guardDescriptors } from './own-descriptors.js'
import { hideProcessWide } from './process-wide.js'
import { startProgram } from './program.js'
import { rehearse } from './rehearsal.js'
import type { Agent, RealmServices } from './services.js'
import { watchUncaught } from './uncaught.js'
import { hideOwnWarnings } from './warnings.js'

/** A guest that nothing was sent to by then was prepared for a later run. */
const IDLE_MS = 5

if (parentPort === null) throw new Error('this file is the entry of a worker thread')
const port = parentPort
const control = workerData as ControlBlock
const post = newPost(port, control)

const hideOurselves = (): void => {
  delete process.env['NODE_V8_COVERAGE']
  replaceParentPort(post)
  process.argv.length = 1
  hideOwnWarnings()
  hideProcessWide()
  guardDescriptors()
}

const compileAgent = (): ((services: RealmServices) => Agent) => {
  const context = createContext(constants.DONT_CONTEXTIFY, { codeGeneration: { strings: false, wasm: false } })
  const bridge = new Script(`${bridgeSource}\n;bridge.freezeIntrinsics(globalThis), bridge`, {
    filename: 'code-runtime:agent',
  }).runInContext(context)
  return bridge.createAgent
}

noteThreadId(control, ownThreadId())
hideOurselves()
const { isNativeError } = types
const output = captureOutput()
const { parse } = JSON
const ProgramTypeError = TypeError

const createAgent = compileAgent()
const services: RealmServices = {
  ...nodeJsonEngine,
  post,
  parse: (text) => parse(text),
  isError: (value) => isNativeError(value),
  cwd: process.cwd(),
  inspect: inspectBounded,
  defineNamespace: namespaceDefiner(defineGlobal),
  newPromise,
  typeError: (message) => new ProgramTypeError(message),
  endOutput: () => output.end(),
  start: startProgram,
}
const agent = createAgent(services)
output.begin(agent.print)
watchUncaught(agent.fail)
checkVmTexts()

const rehearsal = setTimeout(() => rehearse(createAgent, services), IDLE_MS)
port.once('message', () => clearTimeout(rehearsal))
port.on('message', (text: string) => {
  noteConsumed(control)
  agent.receive(text)
})
