import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FailureKind } from '../../src/domain/outcome.js'
import type { RunEffect } from '../../src/domain/run-events.js'
import { Machine, tools } from '../support/machine.js'
import { holds } from '../support/property.js'

const MAX_LOG_BYTES = 80
const MARKER = `[code-runtime] log capture truncated at ${MAX_LOG_BYTES} bytes`

/** A driver that may do anything in any order which the world allows, and checks what it is told. */
class AnyDriver {
  readonly machine: Machine
  readonly steps: RunEffect[][] = []
  readonly unanswered: number[] = []
  readonly breaches: string[] = []
  isLaunched = false
  isAcknowledged = false
  isStopped = false
  isChannelBusy = false
  turnsAwaited = 0

  constructor(maxBindingCalls: number) {
    const namespaces = [tools('echo').namespace]
    this.machine = new Machine({ namespaces, maxBindingCalls, maxLogBytes: MAX_LOG_BYTES, maxValueBytes: 20 })
    this.take(this.machine.step({ type: 'accepted' }))
  }

  take(effects: RunEffect[]): void {
    this.steps.push(effects)
    for (const effect of effects) {
      if (effect.type === 'send') this.send(effect.text)
      if (effect.type === 'call') this.unanswered.push(effect.id)
      if (effect.type === 'await-turn') this.turnsAwaited += 1
      if (effect.type === 'stop') this.isStopped = true
    }
  }

  send(text: string): void {
    if (this.isChannelBusy) this.breaches.push('a text was sent before the last one was taken')
    if (text.startsWith('{"type":"run"') && !this.isAcknowledged) this.breaches.push('the program was sent too early')
    this.isChannelBusy = true
  }

  acknowledge(): void {
    this.isAcknowledged = this.isLaunched
    this.take(this.machine.frame('{"type":"boot-ack"}'))
  }

  launch(): void {
    this.isLaunched = true
    this.take(this.machine.step({ type: 'launched', program: 'return 1' }))
  }

  sent(failure?: string): void {
    if (!this.isChannelBusy) return
    this.isChannelBusy = false
    this.take(this.machine.step(failure === undefined ? { type: 'sent' } : { type: 'send-failed', message: failure }))
  }

  answer(at: number, value: unknown): void {
    const [id] = this.unanswered.splice(at % (this.unanswered.length || 1), 1)
    if (id === undefined) return
    const answer = value === undefined ? { ok: false as const, thrown: 'no' } : { ok: true as const, value }
    this.take(this.machine.step({ type: 'answered', id, answer }))
  }

  endTurn(): void {
    if (this.turnsAwaited === 0) return
    this.turnsAwaited -= 1
    this.take(this.machine.step({ type: 'turn-end' }))
  }

  overdue(): void {
    if (this.isStopped) this.take(this.machine.step({ type: 'stop-overdue', usage: { cpuMs: 1, peakMemoryBytes: 2 } }))
  }

  gone(): void {
    this.take(this.machine.gone())
  }

  close(): void {
    if (!this.isLaunched) this.take(this.machine.end('abort', 'never launched'))
    this.gone()
  }
}

type Move = (driver: AnyDriver) => void

const frame =
  (text: string): Move =>
  (driver) =>
    driver.take(driver.machine.frame(text))
const ended: Record<'timeout' | 'abort' | 'worker-exit', Move> = {
  timeout: (driver) => driver.take(driver.machine.end('timeout', 'ended')),
  abort: (driver) => driver.take(driver.machine.end('abort', 'ended')),
  'worker-exit': (driver) => driver.take(driver.machine.end('worker-exit', 'ended')),
}
const nextCall =
  (name: string): Move =>
  (driver) =>
    driver.take(driver.machine.call(callStarts(driver.machine), name))
const callStarts = (machine: Machine): number => machine.events.filter(({ type }) => type === 'call-start').length

/** A move with a name, so that a counterexample can be read. */
const move = (name: string, run: Move): fc.Arbitrary<Move> =>
  fc.constant(Object.assign((driver: AnyDriver) => run(driver), { [fc.toStringMethod]: () => name }))

const MOVES = fc.oneof(
  { weight: 3, arbitrary: move('launch', (driver) => driver.launch()) },
  { weight: 4, arbitrary: move('boot-ack', (driver) => driver.acknowledge()) },
  { weight: 6, arbitrary: move('sent', (driver) => driver.sent()) },
  { weight: 6, arbitrary: move('call', nextCall('echo')) },
  { weight: 2, arbitrary: move('unknown call', nextCall('nope')) },
  {
    weight: 1,
    arbitrary: move('call with another id', frame('{"type":"call","id":77,"global":"tools","name":"echo","args":1}')),
  },
  { weight: 4, arbitrary: fc.nat(9).chain((at) => move(`answer ${at}`, (driver) => driver.answer(at, [at]))) },
  { weight: 1, arbitrary: move('reject', (driver) => driver.answer(0, undefined)) },
  { weight: 3, arbitrary: move('log', frame('{"type":"log","text":"printed"}')) },
  { weight: 2, arbitrary: move('open log', frame('{"type":"log","text":"flushed","open":true,"stream":"stderr"}')) },
  { weight: 1, arbitrary: move('truncated', frame('{"type":"log","text":"forged","truncated":true}')) },
  { weight: 2, arbitrary: move('stray', (driver) => driver.take(driver.machine.stray('raw\nrest'))) },
  { weight: 1, arbitrary: move('junk', frame('AAAA')) },
  { weight: 1, arbitrary: move('done', frame('{"type":"done","value":1}')) },
  { weight: 1, arbitrary: move('done without value', frame('{"type":"done"}')) },
  { weight: 1, arbitrary: move('done over the budget', frame('{"type":"done","value":"aaaaaaaaaaaaaaaaaaaa"}')) },
  {
    weight: 1,
    arbitrary: move('forged done', frame('{"type":"done","value":1,"error":{"kind":"exception","message":"x"}}')),
  },
  { weight: 1, arbitrary: move('send failure', (driver) => driver.sent('EPIPE')) },
  { weight: 1, arbitrary: move('timeout', ended.timeout) },
  { weight: 1, arbitrary: move('abort', ended.abort) },
  { weight: 1, arbitrary: move('over the frame cap', ended['worker-exit']) },
  { weight: 1, arbitrary: move('turn end', (driver) => driver.endTurn()) },
  { weight: 1, arbitrary: move('gone', (driver) => driver.gone()) },
  { weight: 1, arbitrary: move('overdue', (driver) => driver.overdue()) },
)

const running: readonly Move[] = [
  (driver) => driver.launch(),
  (driver) => driver.sent(),
  (driver) => driver.acknowledge(),
  (driver) => driver.sent(),
]

const RUNS = fc.record({
  opening: fc.nat(running.length + 2).map((count) => running.slice(0, count)),
  moves: fc.array(MOVES, { maxLength: 40 }),
  maxBindingCalls: fc.constantFrom(1, 4, Number.POSITIVE_INFINITY),
})

const drive = ({
  opening,
  moves,
  maxBindingCalls,
}: typeof RUNS extends fc.Arbitrary<infer Run> ? Run : never): AnyDriver => {
  const driver = new AnyDriver(maxBindingCalls)
  for (const run of [...opening, ...moves]) run(driver)
  driver.close()
  return driver
}

const every = (check: (driver: AnyDriver) => void): void =>
  holds(
    fc.property(RUNS, (run) => {
      check(drive(run))
    }),
  )

test('any interleaving settles exactly once, and that is the last thing it does', () => {
  every(({ machine }) => {
    expect(machine.of('finish')).toHaveLength(1)
    expect(machine.effects.at(-1)?.type).toBe('finish')
    expect(machine.states.filter((state) => state === 'done')).toHaveLength(1)
  })
})

test('any interleaving goes through its states in order, each once', () => {
  const order = ['waiting', 'starting', 'running', 'settling', 'done']
  every(({ machine: { states } }) => {
    expect(states).toEqual(order.filter((state) => states.includes(state)))
  })
})

test('a failed run has an error and no value; the reason to stop is the outcome', () => {
  every(({ machine }) => {
    const { result } = machine
    expect('error' in result && 'value' in result).toBe(false)
    const stops = machine.of('stop')
    expect(stops.length).toBeLessThanOrEqual(1)
    for (const { reason } of stops) expect(reason).toBe(result.error?.kind ?? 'completed')
  })
})

test('the first decision is the outcome', () => {
  const decisive: Partial<Record<string, FailureKind>> = { timeout: 'timeout', abort: 'abort', worker: 'worker-exit' }
  const kinds = Object.keys(decisive)
  holds(
    fc.property(fc.array(fc.constantFrom(...kinds, 'done', 'gone'), { minLength: 1, maxLength: 6 }), (inputs) => {
      const driver = new AnyDriver(1)
      for (const run of running) run(driver)
      for (const input of inputs) {
        const kind = decisive[input]
        if (kind !== undefined) driver.take(driver.machine.end(kind, input))
        else if (input === 'done') driver.take(driver.machine.frame('{"type":"done","value":1}'))
        else driver.take(driver.machine.gone({ type: 'killed', signal: 'SIGKILL' }))
      }
      driver.close()
      const { result } = driver.machine
      const [first] = inputs
      expect(result.error?.kind).toBe(first === 'gone' ? 'worker-exit' : decisive[first!])
      expect('value' in result).toBe(first === 'done')
    }),
  )
})

test('nothing is sent and no binding is called once the run is decided', () => {
  every(({ steps }) => {
    const effects = steps.flat()
    const decidedAt = effects.findIndex(({ type }) => type === 'stop' || type === 'finish')
    const after = effects.slice(decidedAt).map(({ type }) => type)
    expect(after.filter((type) => type === 'send' || type === 'call')).toEqual([])
  })
})

test('one text is sent at a time, the program after an acknowledgement', () => {
  every(({ breaches }) => expect(breaches).toEqual([]))
})

test('boot is sent first, then the program, each at most once', () => {
  every(({ machine }) => {
    const types = machine.sent.map(({ type }) => type)
    expect(types.indexOf('boot')).toBeLessThanOrEqual(0)
    expect(types.filter((type) => type === 'boot').length).toBeLessThanOrEqual(1)
    expect(types.filter((type) => type === 'run').length).toBeLessThanOrEqual(1)
    if (types.length > 1) expect(types[1]).toBe('run')
  })
})

test('the calls of a run have consecutive ids, are called in order, and answered once', () => {
  every(({ machine }) => {
    const { calls, usage } = machine.result
    expect(calls.map(({ id }) => id)).toEqual(calls.map((_, index) => index))
    expect(usage.bindingCalls).toBe(calls.length)
    const called = machine.of('call').map(({ id }) => id)
    expect(called).toEqual(calls.flatMap(({ id, name }) => (name === 'echo' ? [id] : [])))
    const replied = machine.sent.flatMap((sent) => (sent.type === 'reply' ? [sent.id] : []))
    expect(new Set(replied).size).toBe(replied.length)
    expect(replied.toSorted((a, b) => a - b)).toEqual(
      calls.flatMap(({ id, replyBytes }) => (replyBytes === null ? [] : [id])),
    )
  })
})

test('the live account is the account of the result', () => {
  every(({ machine }) => {
    const { calls, logs } = machine.result
    const started = machine.events.flatMap((event) => (event.type === 'call-start' ? [event.call.id] : []))
    const ended = machine.events.flatMap((event) => (event.type === 'call-end' ? [event.call] : []))
    expect(started).toEqual(calls.map(({ id }) => id))
    for (const call of ended) expect(calls[call.id]).toEqual(call)
    const heard = machine.events.flatMap((event) => (event.type === 'log' ? [event.text] : []))
    expect(heard.join('').length).toBe(logs.join('').length)
  })
})

test('the log never takes more than its budget, and its marker is the last entry', () => {
  every(({ machine }) => {
    const { logs } = machine.result
    const kept = logs.filter((entry) => entry !== MARKER)
    expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThanOrEqual(MAX_LOG_BYTES)
    if (kept.length < logs.length) expect(logs.indexOf(MARKER)).toBe(logs.length - 1)
  })
})
