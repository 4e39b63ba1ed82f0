import { CodeModeUtcpClient } from '@utcp/code-mode'
import { addFunctionToUtcpDirectCall } from '@utcp/direct-call'

const TIMEOUT_MS = 120_000

// It spreads the members of an argument over the parameters of the function.
const give = async (n) => n

const manual = {
  utcp_version: '1.0.0',
  manual_version: '1.0.0',
  tools: [
    {
      name: 'give',
      description: 'Gives back its argument',
      inputs: { type: 'object', properties: { n: { type: 'number' } } },
      outputs: { type: 'number' },
      tags: [],
      tool_call_template: { call_template_type: 'direct-call', callable_name: 'give' },
    },
  ],
}

export const rival = {
  package: '@utcp/code-mode',
  language: 'typescript',
  lacks: [
    'calls block the program: none run at once',
    'no Node modules',
    'TypeScript only by name: types do not parse',
    'no Python',
    'prints two lines on the console of the host for each call',
    'a failed program resolves with null and a log line',
    'a native module (isolated-vm); Node 20 must run with --no-node-snapshot, and so it does in these rows',
  ],
  cannot: { '100 host calls at once': 'its calls are synchronous: each blocks the program until it is answered' },
  modes: [
    {
      name: 'fresh isolate',
      start: async () => {
        addFunctionToUtcpDirectCall('give', give)
        addFunctionToUtcpDirectCall('manual', async () => manual)
        const client = await CodeModeUtcpClient.create()
        await client.registerManual({ name: 'tools', call_template_type: 'direct-call', callable_name: 'manual' })
        return {
          run: async ({ javascript }) => {
            const { result, logs } = await client.callToolChain(javascript, TIMEOUT_MS)
            if (logs.length > 0) throw new Error(logs.join('\n'))
            return result
          },
          stop: () => client.close(),
        }
      },
    },
  ],
}
