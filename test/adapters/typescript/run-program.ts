import { Script } from 'node:vm'
import { SwcTransformer } from '../../../src/adapters/typescript/transformer.js'
import { type Position, readInlineSourceMap } from '../../../src/domain/source-map.js'

type Body = (...values: unknown[]) => Promise<unknown>

const transformer = new SwcTransformer()

export const transform = (program: string) => transformer.transform(program)

export const codeOf = async (program: string): Promise<string> => {
  const outcome = await transform(program)
  if (!outcome.ok) throw new Error(`refused: ${outcome.message}`)
  return outcome.code
}

export const messageOf = async (program: string): Promise<string> => {
  const outcome = await transform(program)
  if (outcome.ok) throw new Error(`accepted: ${outcome.code}`)
  return outcome.message
}

/** Runs a function body as a guest does, with the globals given. */
export const runBody = (code: string, globals: Record<string, unknown> = {}): Promise<unknown> => {
  const wrapped = `(async function (${Object.keys(globals).join()}) { "use strict";\n${code}\n})`
  const body: Body = new Script(wrapped, { filename: '<model>', lineOffset: -1 }).runInThisContext()
  return body(...Object.values(globals))
}

export const runProgram = async (program: string, globals?: Record<string, unknown>): Promise<unknown> =>
  runBody(await codeOf(program), globals)

/** Where in the program's own text it throws. */
export const thrownAt = async (program: string): Promise<Position> => {
  const code = await codeOf(program)
  const error = await runBody(code).catch((thrown: Error) => thrown)
  const [, line, column] = /<model>:(\d+):(\d+)/.exec((error as Error).stack ?? '') ?? []
  const position = { line: Number(line), column: Number(column) }
  return readInlineSourceMap(code)?.original(position.line, position.column) ?? position
}
