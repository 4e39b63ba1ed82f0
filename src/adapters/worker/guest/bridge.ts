import { completionFrame, failureFrame } from '../../../domain/completion-frame.js'
import type { BootFrame, HostFrame, ReplyFrame } from '../../../domain/frame.js'
import { createJsonCodec } from '../../../domain/json/codec.js'
import { NamespaceCalls } from './namespace-calls.js'
import { ProgramLog } from './program-log.js'
import { createReporter } from './report.js'
import type { Agent, RealmServices } from './services.js'

/**
 * The agent of a worker. It is compiled in a `vm` context of its own, so that nothing the program rebinds in its
 * realm reaches this code. It must give the program no object of this realm: docs/design.md, "Realms".
 */
export const createAgent = (realm: RealmServices): Agent => {
  const codec = createJsonCodec(realm)
  const log = new ProgramLog(realm.post)
  const calls = new NamespaceCalls(realm, codec)
  const reporter = createReporter(realm, calls)
  let boot: BootFrame | undefined
  let isDone = false

  const finish = (frame: (maxValueBytes: number) => string): void => {
    if (isDone || boot === undefined) return
    isDone = true
    realm.endOutput()
    realm.post(frame(boot.maxValueBytes))
  }
  const fail = (error: unknown): void => finish((maxBytes) => failureFrame(reporter.describe(error), maxBytes))
  const complete = (value: unknown): void =>
    finish((maxBytes) => completionFrame(value, { codec, maxBytes, hint: reporter.completionHint }))

  const start = (program: string): void => {
    reporter.program = program
    realm.start(program, complete, fail)
  }

  const obey = (frame: HostFrame): void => {
    switch (frame.type) {
      case 'boot':
        boot = frame
        log.begin(frame.maxLogBytes)
        calls.declare(frame.namespaces)
        return realm.post('{"type":"boot-ack"}')
      case 'run':
        return start(frame.program)
      case 'reply':
        return calls.settle(frame as ReplyFrame)
    }
  }

  return {
    receive: (text) => obey(realm.parse(text) as HostFrame),
    print: (stream, text) => log.print(stream, text),
    fail,
  }
}

export { freezeIntrinsics } from './intrinsics.js'
