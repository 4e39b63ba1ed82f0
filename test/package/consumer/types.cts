import codeRuntime = require('code-runtime')
import testing = require('code-runtime/testing')

export const keys: string[] = Object.keys(testing)

export async function main(): Promise<codeRuntime.RunResult> {
  const runtime: codeRuntime.CodeRuntime = await codeRuntime.createCodeRuntime()
  const result = await runtime.run({ program: 'return 1', bindings: [] })
  await runtime.dispose()
  return result
}
