import codeRuntime = require('code-runtime')
import backend = require('code-runtime/backend')
import testing = require('code-runtime/testing')

export const scripts: Promise<backend.GuestScripts> = backend.readGuestScripts()
export const keys: string[] = Object.keys(testing)

export async function main(): Promise<codeRuntime.RunResult> {
  const runtime: codeRuntime.CodeRuntime = await codeRuntime.createCodeRuntime()
  const result = await runtime.run({ program: 'return 1', bindings: [] })
  await runtime.dispose()
  return result
}
