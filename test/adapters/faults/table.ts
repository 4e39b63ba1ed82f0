import type { FailureKind } from '../../../src/index.js'
import { canMount } from '../../support/small-disk.js'
import { canBeNobody, NOBODY } from './conditions.js'
import type { Fault, Outcome } from './fault.js'
import { clock, control, descriptorsBut, LEFT_BY_NODE, mounted, NO_THREADS, ownInterpreter } from './seams.js'

const ONE: Outcome = { value: 1 }
const failed = (kind: FailureKind, message: RegExp): Outcome => ({ kind, message })
const noStart = (message: RegExp): Outcome => failed('worker-exit', message)

const PLAIN = { typescript: 'return 1', python: 'return 1' }

const sleeping = {
  typescript: 'await new Promise((resolve) => setTimeout(resolve, 200))\nreturn 1',
  python: 'import asyncio\nawait asyncio.sleep(0.2)\nreturn 1',
}

export const FAULTS: readonly Fault[] = [
  {
    title: 'no descriptor is left (EMFILE)',
    arrange: descriptorsBut(0),
    expected: { typescript: noStart(/EMFILE/), python: noStart(/EMFILE/) },
    leftByNode: LEFT_BY_NODE,
  },
  {
    title: 'too few descriptors are left (EMFILE)',
    arrange: descriptorsBut(3),
    expected: { typescript: noStart(/EMFILE/), python: noStart(/EMFILE/) },
    leftByNode: LEFT_BY_NODE,
  },
  {
    title: 'too few descriptors are left for a program that needs no compiler (EMFILE)',
    arrange: descriptorsBut(3),
    program: PLAIN,
    expected: { typescript: noStart(/EMFILE/) },
    leftByNode: LEFT_BY_NODE,
  },
  {
    title: 'the interpreter has vanished (ENOENT)',
    arrange: ownInterpreter('rmSync(wrapper)'),
    expected: { python: noStart(/spawn error: .*ENOENT/) },
  },
  {
    title: 'the interpreter may not be executed (EACCES)',
    arrange: ownInterpreter('chmodSync(wrapper, 0o644)'),
    expected: { python: noStart(/spawn error: .*EACCES/) },
  },
  {
    title: 'the interpreter has become something else',
    arrange: ownInterpreter(`writeFileSync(wrapper, '#!/bin/sh\\nexit 0\\n')`),
    expected: { python: failed('worker-exit', /exited with code 0/) },
  },
  {
    title: 'the interpreter is a folder (EACCES)',
    arrange: ownInterpreter('rmSync(wrapper); mkdirSync(wrapper)'),
    expected: { python: noStart(/spawn error: .*EACCES/) },
  },
  {
    title: 'the working directory has vanished',
    arrange: `
const folder = mkdtempSync(process.env.TMPDIR + '/cwd-')
const home = process.cwd()
process.chdir(folder)
inject = () => rmdirSync(folder)
undo = () => { mkdirSync(folder); process.chdir(home); later.push(() => rmdirSync(folder)) }`,
    expected: { typescript: noStart(/uv_cwd/), python: noStart(/spawn error: .*ENOENT/) },
  },
  {
    title: 'the temp root has vanished (ENOENT)',
    arrange: `
const { TMPDIR } = process.env
inject = () => { process.env.TMPDIR = '/no/such/folder' }
undo = () => { process.env.TMPDIR = TMPDIR }`,
    expected: { typescript: ONE, python: noStart(/ENOENT.*mkdtemp/) },
  },
  {
    title: 'the temp root is on a read-only file system (EROFS)',
    arrange: mounted('ro,size=64k'),
    expected: { python: noStart(/EROFS/) },
    needs: canMount,
  },
  {
    title: 'the temp root has no room for a folder (ENOSPC)',
    arrange: mounted('nr_inodes=1'),
    expected: { python: noStart(/ENOSPC.*mkdtemp/) },
    needs: canMount,
  },
  {
    title: 'the temp root has no room for the guest (ENOSPC)',
    arrange: mounted('size=64k', `try { writeFileSync(folder + '/full', Buffer.alloc(100_000)) } catch {}`),
    expected: { python: noStart(/ENOSPC.*write/) },
    needs: canMount,
  },
  {
    title: 'no process or thread can be made (EAGAIN)',
    arrange: NO_THREADS,
    expected: { typescript: noStart(/could not be prepared: .*EAGAIN/), python: noStart(/spawn error: .*EAGAIN/) },
    needs: canBeNobody,
    uid: NOBODY,
  },
  {
    title: 'no thread can be made for a program that needs no compiler (EAGAIN)',
    arrange: NO_THREADS,
    program: PLAIN,
    expected: { typescript: noStart(/failed to start: .*EAGAIN/) },
    needs: canBeNobody,
    uid: NOBODY,
  },
  {
    title: 'a reply is written to a channel that the program has closed (EPIPE)',
    arrange: '',
    program: {
      typescript: `void tools.late({})\nprocess.exit(3)`,
      python: `import os, time\nos.write(3, b'{"type":"call","id":0,"global":"tools","name":"late","args":{}}\\n')\nos.close(3)\ntime.sleep(0.3)\nos._exit(3)`,
    },
    expected: {
      typescript: failed('worker-exit', /exited with code 3/),
      python: failed('worker-exit', /exited with code 3/),
    },
  },
  {
    title: 'a write of the program fails (EPIPE)',
    arrange: `
class Control extends parts.NodeProcessControl {
  spawn(command) {
    const spawned = super.spawn(command)
    const { send } = spawned.channel
    spawned.channel.send = (text, sent) => text.includes('return 5') ? sent(new Error('write EPIPE')) : send.call(spawned.channel, text, sent)
    return spawned
  }
}
options = { adapters: { processControl: new Control() } }`,
    program: { typescript: 'return 5', python: 'return 5' },
    expected: { python: failed('worker-exit', /failed to boot: write EPIPE/) },
  },
  {
    title: 'the program never reads its channel (EAGAIN)',
    arrange: 'options = { limits: { maxWallMs: 700 } }',
    program: {
      typescript: `for (let i = 0; i < 20; i += 1) void tools.big({})\nawait tools.one({})\nfor (;;) {}`,
      python: `import os, time\nfor id in range(20): os.write(3, b'{"type":"call","id":%d,"global":"tools","name":"big","args":{}}\\n' % id)\ntime.sleep(60)`,
    },
    expected: { typescript: failed('timeout', /maxWallMs/), python: failed('timeout', /maxWallMs/) },
  },
  {
    title: 'SIGTERM may not be sent (EPERM)',
    arrange: control(
      `signalGroup(root, signal) {
    return isFaulty && signal === 'SIGTERM' ? false : super.signalGroup(root, signal)
  }`,
      '{ maxWallMs: 700 }',
    ),
    program: { typescript: '', python: 'import time\ntime.sleep(60)' },
    expected: { python: failed('timeout', /maxWallMs/) },
  },
  {
    title: 'signals throw (EPERM)',
    arrange: control(`signalGroup(root, signal) {
    if (isFaulty) throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' })
    return super.signalGroup(root, signal)
  }`),
    expected: { python: ONE },
  },
  {
    title: 'descendants cannot be ended',
    arrange: control(`async endDescendants(root, graceMs) {
    if (isFaulty) throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' })
    return super.endDescendants(root, graceMs)
  }`),
    expected: { python: ONE },
  },
  {
    title: 'nothing can be measured',
    arrange: control(`treeUsage(root) {
    if (isFaulty) throw new Error('EIO')
    return super.treeUsage(root)
  }`),
    program: sleeping,
    expected: { python: ONE },
  },
  {
    title: 'the wall clock jumps by a year, forth and back',
    arrange: `
const { now } = Date
inject = () => { let sign = 1; Date.now = () => now() + (sign = -sign) * 31_536_000_000 }
undo = () => { Date.now = now }`,
    program: sleeping,
    expected: { typescript: ONE, python: ONE },
  },
  {
    title: 'the clock jumps ahead by an hour, as after a suspension',
    arrange: clock(`#startMs
  now() {
    const nowMs = super.now()
    this.#startMs ??= nowMs
    return isFaulty && nowMs - this.#startMs > 100 ? nowMs + 3_600_000 : nowMs
  }`),
    program: {
      typescript: `for (;;) await tools.one({})`,
      python: `while True: await tools.one()`,
    },
    expected: { typescript: failed('timeout', /maxWallMs/), python: failed('timeout', /maxWallMs/) },
  },
  {
    title: 'the compiler fails to start',
    arrange: `
let isFaulty = false
class Transformer extends parts.SwcTransformer {
  async transform(program) {
    if (isFaulty) throw new Error('ERR_WORKER_INIT_FAILED: EAGAIN')
    return super.transform(program)
  }
}
options = { adapters: { transformer: new Transformer() } }
inject = () => { isFaulty = true }
undo = () => { isFaulty = false }`,
    expected: { typescript: noStart(/EAGAIN/) },
  },
]
