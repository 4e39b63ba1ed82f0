import { defineConfig } from 'tsup'
import { buildGuestScripts } from './scripts/guest-scripts.mjs'
import { buildWorkerEntry } from './scripts/worker-entry.mjs'

const entries = ['src/index.ts', 'src/backend.ts', 'src/testing.ts']

export default defineConfig({
  entry: [...entries, 'src/cli.ts'],
  format: ['esm', 'cjs'],
  platform: 'node',
  target: 'node20',
  // A running worker may still need its entry.
  clean: ['!worker-entry.*', '!guest-*.js'],
  sourcemap: true,
  shims: true,
  removeNodeProtocol: false,
  dts: { entry: entries, compilerOptions: { ignoreDeprecations: '6.0' } },
  onSuccess: async () => {
    await Promise.all([buildWorkerEntry(), buildGuestScripts()])
  },
})
