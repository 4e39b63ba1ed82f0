import type { CallFrame } from './frame.js'
import type { CallRecord } from './outcome.js'
import { thrownText } from './text.js'

/** More of either ends the run: the guest is hostile or broken. */
export const MAX_WAITING_REPLIES = 1_024
export const MAX_OUTSTANDING_CALLS = 1_024

export type CallAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly thrown: unknown }

export interface WaitingReply {
  readonly id: number
  /** When the binding answered, in milliseconds since the start of the run. */
  readonly atMs: number
  readonly answer: CallAnswer
}

export interface CallEnd {
  readonly state: 'succeeded' | 'failed'
  readonly atMs: number
  readonly replyBytes: number | null
  readonly error?: string
}

type MutableRecord = { -readonly [Key in keyof CallRecord]: CallRecord[Key] }

/** The binding calls of one run: ids, who is still outstanding, replies that wait for the channel, the account. */
export class CallTable {
  readonly #records: MutableRecord[] = []
  readonly #waiting: (WaitingReply | undefined)[] = []
  #firstWaiting = 0
  #outstanding = 0

  get records(): readonly CallRecord[] {
    return this.#records
  }

  get count(): number {
    return this.#records.length
  }

  /** What is over its bound, as the model should read it. */
  get excess(): string | undefined {
    if (this.#waiting.length - this.#firstWaiting > MAX_WAITING_REPLIES) {
      return `reply queue exceeded ${MAX_WAITING_REPLIES} waiting replies`
    }
    if (this.#outstanding > MAX_OUTSTANDING_CALLS) {
      return `call backlog exceeded ${MAX_OUTSTANDING_CALLS} outstanding binding calls`
    }
    return undefined
  }

  /** Ids are consecutive from 0: anything but the exact next one is not a call. */
  isNext(frame: CallFrame): boolean {
    return frame.id === this.#records.length
  }

  start(frame: CallFrame, argsBytes: number, startMs: number): CallRecord {
    const record: MutableRecord = {
      id: frame.id,
      global: frame.global,
      name: frame.name,
      state: 'running',
      startMs,
      durationMs: null,
      argsBytes,
      replyBytes: null,
    }
    this.#records.push(record)
    this.#outstanding += 1
    return record
  }

  answer(id: number, answer: CallAnswer, atMs: number): void {
    this.#outstanding -= 1
    this.#waiting.push({ id, answer, atMs })
  }

  /** The reply to write next. Taken ones are forgotten in amortised constant time. */
  takeReply(): WaitingReply | undefined {
    const reply = this.#waiting[this.#firstWaiting]
    if (reply === undefined) return undefined
    this.#waiting[this.#firstWaiting] = undefined
    this.#firstWaiting += 1
    if (this.#firstWaiting > MAX_WAITING_REPLIES) {
      this.#waiting.splice(0, this.#firstWaiting)
      this.#firstWaiting = 0
    }
    return reply
  }

  finish(id: number, end: CallEnd): CallRecord {
    const record = this.#records[id] as MutableRecord
    record.state = end.state
    record.durationMs = end.atMs - record.startMs
    record.replyBytes = end.replyBytes
    if (end.error !== undefined) record.error = end.error
    return record
  }

  /** The channel takes no more replies: what a binding answered stays in the account, without a reply's bytes. */
  forgetReplies(): void {
    for (let reply = this.takeReply(); reply !== undefined; reply = this.takeReply()) {
      const { id, answer, atMs } = reply
      if (answer.ok) this.finish(id, { state: 'succeeded', atMs, replyBytes: null })
      else this.finish(id, { state: 'failed', atMs, replyBytes: null, error: thrownText(answer.thrown) })
    }
  }
}
