import { constants } from 'node:os'
import type { ProcessExit } from '../../../ports/process-control.js'

/** What a fork server says. */
export type ForkAnswer =
  | { readonly type: 'ready' }
  | { readonly type: 'failed'; readonly message: string; readonly module?: string }
  | { readonly type: 'forked'; readonly id: number; readonly pid: number }
  | { readonly type: 'refused'; readonly id: number; readonly message: string }
  | { readonly type: 'killed' | 'reaped' }
  | { readonly type: 'exited'; readonly id: number; readonly exit: ProcessExit }

/** Undefined for what it never says. */
export const parseAnswer = (text: string): ForkAnswer | undefined => {
  const said = parseObject(text)
  return typeof said.type === 'string' && Object.hasOwn(ANSWERS, said.type) ? ANSWERS[said.type]?.(said) : undefined
}

type Said = Partial<Record<'type' | 'id' | 'pid' | 'message' | 'module' | 'code' | 'signal', unknown>>

const ANSWERS: Readonly<Record<string, (said: Said) => ForkAnswer | undefined>> = {
  ready: () => ({ type: 'ready' }),
  failed: ({ message, module }) =>
    isText(message) ? { type: 'failed', message, ...(isText(module) ? { module } : {}) } : undefined,
  forked: ({ id, pid }) => (isNumber(id) && isNumber(pid) ? { type: 'forked', id, pid } : undefined),
  refused: ({ id, message }) => (isNumber(id) && isText(message) ? { type: 'refused', id, message } : undefined),
  killed: () => ({ type: 'killed' }),
  reaped: () => ({ type: 'reaped' }),
  exited: ({ id, code, signal }) => {
    if (!isNumber(id)) return undefined
    if (isNumber(code)) return { type: 'exited', id, exit: { code, signal: null } }
    return isNumber(signal) ? { type: 'exited', id, exit: { code: null, signal: signalName(signal) } } : undefined
  },
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => Number.isSafeInteger(value)

const parseObject = (text: string): Said => {
  try {
    return Object(JSON.parse(text)) as Said
  } catch {
    return {}
  }
}

/** Real-time signals have no name of their own. */
const signalName = (number: number): NodeJS.Signals => {
  const named = Object.entries(constants.signals).find(([, value]) => value === number)
  return (named?.[0] ?? `SIG${number}`) as NodeJS.Signals
}
