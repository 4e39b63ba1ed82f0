import type { Runtime, Session } from 'node:inspector'
import { type Problem, TOO_DEEP } from './problem.js'

// vm.Script is no choice: on Node 20 and 22 some syntax errors that span lines abort the process inside it
// (`class A {...(\n}`, an assertion in node::GetErrorSource).
const AsyncFunction = (async () => undefined).constructor as new (body: string) => unknown

// No text fits both this wrapper and the one that swc sees, except a function body.
const OPEN = '"use strict";async function program(){\n'
const CLOSE = '\n}'

/** Whether V8 takes the text as the body of an async function. It is not run. */
export const isFunctionBody = (body: string): boolean => refusalOf(body) === undefined

/** What V8 has against a function body, at the body's own position. */
export const checkFunctionBody = async (body: string): Promise<Problem | undefined> => {
  const refusal = refusalOf(body)
  if (refusal === undefined) return undefined
  if (refusal instanceof RangeError) return { text: TOO_DEEP }
  const located = await locateError(body)
  // A host that forbids code from strings lets nothing pass the first look.
  return located ?? (refusal instanceof EvalError ? undefined : { text: refusal.message })
}

const refusalOf = (body: string): Error | undefined => {
  try {
    new AsyncFunction(`"use strict";\n${body}`)
    return undefined
  } catch (error) {
    return error as Error
  }
}

/** V8 tells where a syntax error is to an inspector only, and a process can be without one. */
const locateError = async (body: string): Promise<Problem | undefined> => {
  const session = await openSession().catch(() => undefined)
  const problem = session && compile(session, OPEN + body + CLOSE)
  session?.disconnect()
  return problem
}

const openSession = async (): Promise<Session> => {
  const inspector = await import('node:inspector')
  const session = new inspector.Session()
  session.connect()
  return session
}

const compile = (session: Session, expression: string): Problem | undefined => {
  let details: Runtime.ExceptionDetails | undefined
  session.post('Runtime.enable')
  session.post(
    'Runtime.compileScript',
    { expression, sourceURL: '<model>', persistScript: false },
    // The answer comes before `post` returns.
    (_error, answer) => {
      details = answer?.exceptionDetails
    },
  )
  return details && toProblem(details)
}

const toProblem = ({ exception, lineNumber, columnNumber }: Runtime.ExceptionDetails): Problem => {
  const [headline = ''] = (exception?.description ?? '').split('\n', 1)
  // The wrapper's line is line 0; that is where V8 sees a lone `#name`.
  const position = lineNumber > 0 ? { line: lineNumber, column: columnNumber + 1 } : { line: 1, column: 1 }
  return { text: headline.replace(/^\w+: /, ''), position }
}
