import type { FailureKind } from '../../domain/outcome.js'
import type { CaseRequest, ConformanceCase } from './case.js'
import { ABSENT, hasShape } from './check.js'

type Run = ConformanceCase['run']

/** The run's result has a shape. */
export const gives =
  (shape: object, request: CaseRequest = {}): Run =>
  async (context) =>
    hasShape(await context.run(request), shape)

/** The run succeeds with a value. */
export const returns = (value: unknown, request: CaseRequest = {}): Run => gives({ error: ABSENT, value }, request)

/** The run prints these lines. */
export const prints = (logs: readonly unknown[]): Run => gives({ logs })

/** The run fails with a kind, and a message that matches. */
export const failsAs = (kind: FailureKind, message: RegExp = /(?:)/, request: CaseRequest = {}): Run =>
  gives({ value: ABSENT, error: { kind, message } }, request)

/** One more turn of the event loop: what was settled before has been seen by everybody. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export const deferred = <Value>() => {
  let resolve!: (value: Value) => void
  let reject!: (error: unknown) => void
  const promise = new Promise<Value>((resolveWith, rejectWith) => {
    resolve = resolveWith
    reject = rejectWith
  })
  return { promise, resolve, reject }
}

/** Cases that are rows of a title and what differs; `titled` says what the titles have in common. */
export const rows = <Row extends readonly unknown[]>(
  all: readonly (readonly [title: string, ...row: Row])[],
  toCase: (...row: Row) => Omit<ConformanceCase, 'title'>,
  titled: (title: string) => string = (title) => title,
): ConformanceCase[] => all.map(([title, ...row]) => ({ title: titled(title), ...toCase(...row) }))

/** How late a budget may act: one sample, the stop, and a busy machine. */
export const TOLERANCE_MS = 4_000
