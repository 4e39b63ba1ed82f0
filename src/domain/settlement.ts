import { CallTable, type WaitingReply } from './call-table.js'
import { checkCompletion } from './completion-check.js'
import { capDiagnostic } from './diagnostic.js'
import { describeExit, type GuestExit, type GuestUsage, NOTHING_MEASURED } from './exit.js'
import type { BootLimits, CallFrame, DoneFrame, GuestFrame, LogFrame, NamespaceDeclaration } from './frame.js'
import { checkGuestFrame } from './frame-check.js'
import type { JsonCodec } from './json/codec.js'
import { LogBook } from './log-book.js'
import type { RunEvent, RunState, Usage } from './outcome.js'
import { encodeReply } from './reply.js'
import type { NamespaceSnapshot } from './request.js'
import type { Completion, RunEffect, RunInput } from './run-events.js'
import { StrayOutput } from './stray-output.js'
import { prefixOf } from './text.js'

export interface SettlementOptions {
  readonly namespaces: readonly NamespaceSnapshot[]
  readonly bootLimits: BootLimits
  readonly maxBindingCalls: number
  readonly codec: JsonCodec
  readonly now: () => number
}

type Phase = 'new' | 'booting' | 'running' | 'settling' | 'done'

const NAME_PREVIEW_CHARS = 1_024

/**
 * The rules of one run as a machine without I/O: what happened goes in, what to do about it comes out. The first
 * decision wins; nothing is sent after it; `finish` comes exactly once.
 */
export class Settlement {
  readonly #options: SettlementOptions
  readonly #calls = new CallTable()
  readonly #log: LogBook
  readonly #stray: StrayOutput
  readonly #effects: RunEffect[] = []
  #phase: Phase = 'new'
  /** Undefined while the run waits for its turn. */
  #startedAtMs: number | undefined
  #program = ''
  #decision: Completion | undefined
  /** A completion that came while a bound was exceeded waits for the end of that turn. */
  #heldDone: DoneFrame | undefined
  #isChannelBusy = false
  #isProgramWaiting = false
  #isProgramSent = false
  #isAwaitingTurn = false
  #bytesIn = 0
  #bytesOut = 0

  constructor(options: SettlementOptions) {
    this.#options = options
    this.#log = new LogBook(options.bootLimits.maxLogBytes, (stream, text, isOpen) => {
      this.#emit({ type: 'log', stream, text, ...(isOpen ? { open: true } : {}) })
    })
    this.#stray = new StrayOutput(this.#log)
  }

  get isDecided(): boolean {
    return this.#decision !== undefined
  }

  step(input: RunInput): RunEffect[] {
    if (this.#phase !== 'done') this.#take(input)
    return this.#effects.splice(0)
  }

  #take(input: RunInput): void {
    switch (input.type) {
      case 'accepted':
        return this.#emit({ type: 'state', state: 'waiting' })
      case 'begun':
        this.#startedAtMs = this.#options.now()
        return
      case 'launched':
        return this.#boot(input.program)
      case 'frame':
        return this.#takeFrame(input.text, input.bytes)
      case 'stray':
        return this.#stray.add(input.stream, input.chunk)
      case 'sent':
        return this.#sendNext()
      case 'send-failed':
        return this.#failSending(input.message)
      case 'answered':
        return this.#takeAnswer(input)
      case 'turn-end':
        return this.#endTurn()
      case 'ended':
        return this.#end(input)
      case 'gone':
        return this.#takeExit(input.exit, input.usage)
      case 'stop-overdue':
        return this.#finish(input.usage)
    }
  }

  // --- boot, run ---

  #boot(program: string): void {
    if (this.#phase !== 'new') return
    this.#program = program
    this.#enter('booting', 'starting')
    const namespaces = this.#options.namespaces.map(declare)
    this.#send(JSON.stringify({ type: 'boot', ...this.#options.bootLimits, namespaces }))
  }

  #startProgram(): void {
    if (this.#phase !== 'booting') return
    this.#enter('running', 'running')
    this.#isProgramWaiting = true
    if (!this.#isChannelBusy) this.#sendProgram()
  }

  #sendProgram(): void {
    this.#isProgramWaiting = false
    this.#send(JSON.stringify({ type: 'run', program: this.#program }))
  }

  #failSending(reason: string): void {
    const what = this.#isProgramSent ? 'cannot be written to' : 'failed to boot'
    this.#fail('worker-exit', `the guest ${what}: ${reason}`)
  }

  // --- frames from the guest ---

  #takeFrame(text: string, bytes: number): void {
    if (this.#decision !== undefined || this.#heldDone !== undefined) return
    this.#bytesIn += bytes
    const parsed = this.#options.codec.parse(text)
    const frame = parsed.ok ? checkGuestFrame(parsed.value) : undefined
    if (frame !== undefined) this.#obey(frame)
  }

  #obey(frame: GuestFrame): void {
    switch (frame.type) {
      case 'boot-ack':
        return this.#startProgram()
      case 'log':
        return this.#takeLog(frame)
      case 'call':
        return this.#takeCall(frame)
      case 'done':
        return this.#takeDone(frame)
    }
  }

  #takeLog({ stream = 'stdout', text, open, truncated }: LogFrame): void {
    if (truncated) this.#log.truncate(stream)
    else this.#log.add(stream, text, open === true)
  }

  #takeDone(done: DoneFrame): void {
    const isBootFailure = this.#phase === 'booting' && done.error !== undefined
    if (this.#phase !== 'running' && !isBootFailure) return
    if (this.#calls.excess !== undefined) this.#heldDone = done
    else this.#complete(done)
  }

  #complete(done: DoneFrame): void {
    const { codec, bootLimits } = this.#options
    this.#decide(checkCompletion(done, codec, bootLimits.maxValueBytes))
  }

  // --- calls and replies ---

  #takeCall(frame: CallFrame): void {
    if (this.#phase !== 'running' || !this.#calls.isNext(frame)) return
    if (this.#calls.count >= this.#options.maxBindingCalls) return this.#failCallBudget()
    const invoke = this.#options.namespaces.find(({ global }) => global === frame.global)?.functions.get(frame.name)
    if (invoke === undefined) return this.#refuseUnknown(frame)
    this.#startCall(frame)
    this.#effects.push({ type: 'call', id: frame.id, invoke: (context) => invoke(frame.args, context) })
  }

  #failCallBudget(): void {
    const { maxBindingCalls } = this.#options
    this.#fail('timeout', `the run made more than ${maxBindingCalls} binding calls (maxBindingCalls)`)
  }

  #startCall(frame: CallFrame): void {
    const encoded = this.#options.codec.encode(frame.args)
    const record = this.#calls.start(frame, encoded.ok ? encoded.bytes : 0, this.#elapsedMs())
    this.#emit({ type: 'call-start', call: { ...record } })
    this.#watchBounds()
  }

  #refuseUnknown(frame: CallFrame): void {
    const global = prefixOf(frame.global, NAME_PREVIEW_CHARS)
    const name = prefixOf(frame.name, NAME_PREVIEW_CHARS)
    this.#startCall({ ...frame, global, name })
    const thrown = `unknown binding ${global}.${name}`
    this.#takeAnswer({ id: frame.id, answer: { ok: false, thrown } })
  }

  #takeAnswer({ id, answer }: Pick<Extract<RunInput, { type: 'answered' }>, 'id' | 'answer'>): void {
    if (this.#decision !== undefined) return
    this.#calls.answer(id, answer, this.#elapsedMs())
    this.#watchBounds()
    if (!this.#isChannelBusy) this.#sendNext()
  }

  /** One frame at a time: the next reply is not even encoded before the channel took the last frame. */
  #sendNext(): void {
    this.#isChannelBusy = false
    if (this.#decision !== undefined) return
    this.#isProgramSent ||= this.#phase === 'running' && !this.#isProgramWaiting
    if (this.#isProgramWaiting) return this.#sendProgram()
    const reply = this.#calls.takeReply()
    if (reply !== undefined) this.#sendReply(reply)
  }

  #sendReply({ id, answer, atMs }: WaitingReply): void {
    const { text, ...end } = encodeReply(id, answer, this.#options.codec)
    const record = this.#calls.finish(id, { ...end, atMs })
    this.#emit({ type: 'call-end', call: { ...record } })
    this.#send(text)
  }

  #send(text: string): void {
    this.#isChannelBusy = true
    this.#bytesOut += this.#options.codec.utf8Bytes(text)
    this.#effects.push({ type: 'send', text })
  }

  // --- bounds on a hostile guest ---

  #watchBounds(): void {
    if (this.#isAwaitingTurn || this.#calls.excess === undefined) return
    this.#isAwaitingTurn = true
    this.#effects.push({ type: 'await-turn' })
  }

  #endTurn(): void {
    this.#isAwaitingTurn = false
    const { excess } = this.#calls
    if (excess !== undefined) return this.#fail('worker-exit', excess)
    const done = this.#heldDone
    this.#heldDone = undefined
    if (done !== undefined && this.#decision === undefined) this.#complete(done)
  }

  // --- decision and end ---

  #end({ kind, message }: Extract<RunInput, { type: 'ended' }>): void {
    this.#fail(kind, message)
  }

  #fail(kind: Extract<RunInput, { type: 'ended' }>['kind'], message: string): void {
    this.#decide({ error: { kind, message } })
  }

  #decide(decision: Completion, usage = NOTHING_MEASURED): void {
    if (this.#decision !== undefined) return
    const wasLaunched = this.#phase !== 'new'
    this.#decision = decision
    this.#calls.forgetReplies()
    this.#enter('settling', 'settling')
    if (!wasLaunched) return this.#finish(usage)
    this.#effects.push({ type: 'stop', reason: 'error' in decision ? decision.error.kind : 'completed' })
  }

  #takeExit(exit: GuestExit, usage: GuestUsage): void {
    if (this.#heldDone !== undefined) this.#endTurn()
    const message = capDiagnostic(describeExit(exit), this.#options.bootLimits.maxValueBytes)
    this.#decide({ error: { kind: 'worker-exit', message } }, usage)
    this.#finish(usage)
  }

  #finish(usage: GuestUsage): void {
    if (this.#phase === 'done') return
    this.#stray.end()
    this.#enter('done', 'done')
    const logs = [...this.#log.entries]
    const calls = this.#calls.records.map((record) => ({ ...record }))
    const result = { ...this.#decision, logs, calls, usage: this.#usage(usage) }
    this.#effects.push({ type: 'finish', result })
  }

  #usage(guest: GuestUsage): Usage {
    return {
      wallMs: this.#elapsedMs(),
      ...guest,
      bindingCalls: this.#calls.count,
      bytesIn: this.#bytesIn,
      bytesOut: this.#bytesOut,
    }
  }

  #enter(phase: Phase, state: RunState): void {
    this.#phase = phase
    this.#emit({ type: 'state', state })
  }

  #emit(event: RunEvent): void {
    this.#effects.push({ type: 'emit', event })
  }

  #elapsedMs(): number {
    return this.#startedAtMs === undefined ? 0 : this.#options.now() - this.#startedAtMs
  }
}

const declare = ({ global, functions, errorClass }: NamespaceSnapshot): NamespaceDeclaration => ({
  global,
  names: [...functions.keys()],
  ...(errorClass === undefined ? {} : { errorClass }),
})
