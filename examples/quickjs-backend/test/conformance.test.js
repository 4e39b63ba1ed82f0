import { describe, it } from 'node:test'
import { createCodeRuntime } from 'code-runtime'
import { registerConformance } from 'code-runtime/testing'
import { capabilities } from '../conformance.js'
import { QuickJsLauncher } from '../src/launcher.js'

registerConformance(
  { describe, it },
  {
    language: 'javascript',
    capabilities,
    create: async ({ limits = {} }) => createCodeRuntime({ launcher: await QuickJsLauncher.create(), limits }),
  },
)
