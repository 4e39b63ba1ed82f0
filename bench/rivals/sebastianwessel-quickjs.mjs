import variant from '@jitl/quickjs-ng-wasmfile-release-sync'
import { loadQuickJs } from '@sebastianwessel/quickjs'
import { give } from './jobs.mjs'

export const rival = {
  package: '@sebastianwessel/quickjs',
  language: 'typescript',
  lacks: [
    'QuickJS, an interpreter: no JIT',
    'runs in the host thread: a loop blocks the host until its deadline',
    'a few imitated Node modules',
    'TypeScript only with the package typescript in the host',
    'no Python',
    'console goes to the host unless the app catches it; no account of calls or cost',
    'no top-level return: the result is a default export',
  ],
  modes: [
    {
      name: 'fresh context in one WASM module',
      start: async () => {
        const { runSandboxed } = await loadQuickJs(variant)
        const options = { executionTimeout: 120_000, env: { give } }
        return {
          run: async ({ javascript }) => {
            const code = `const tools = { give: env.give }\nexport default await (async () => { ${javascript} })()`
            const result = await runSandboxed(({ evalCode }) => evalCode(code), options)
            if (!result.ok) throw new Error(result.error.message)
            return result.data
          },
          stop: () => {},
        }
      },
    },
  ],
}
