import { describe, it } from 'node:test'
import { createCodeRuntime } from 'code-runtime'
import { registerConformance } from 'code-runtime/testing'

registerConformance(
  { describe, it },
  {
    language: 'typescript',
    capabilities: ['computeMs'],
    create: (options) => createCodeRuntime({ ...options, warm: 0 }),
  },
  { sections: ['3.1', '6.1'] },
)
