import { type CodeRuntime, createCodeRuntime, type RunResult } from 'code-runtime'
import { type GuestScripts, readGuestScripts } from 'code-runtime/backend'
import * as testing from 'code-runtime/testing'

export const scripts: Promise<GuestScripts> = readGuestScripts()
export const keys: string[] = Object.keys(testing)

export async function main(): Promise<RunResult> {
  await using runtime: CodeRuntime = await createCodeRuntime({ language: 'typescript' })
  // @ts-expect-error a language that is no text
  await createCodeRuntime({ language: 5 })
  return runtime.run({
    program: 'return 1',
    bindings: [{ global: 'tools', functions: { echo: async (x) => x } }],
  })
}
