import { defineConfig } from 'tsup'
import { buildGuestScripts } from './scripts/guest-scripts.mjs'
import { buildWorkerEntry } from './scripts/worker-entry.mjs'

export default defineConfig({
  entry: ['src/index.ts', 'src/backend.ts', 'src/testing.ts', 'src/cli.ts'],
  format: ['esm', 'cjs'],
  platform: 'node',
  target: 'node20',
  // A running worker may still need its entry.
  clean: ['!worker-entry.*', '!guest-*.js'],
  sourcemap: true,
  shims: true,
  removeNodeProtocol: false,
  dts: { entry: ['src/index.ts', 'src/backend.ts', 'src/testing.ts'], compilerOptions: { ignoreDeprecations: '6.0' } },
  onSuccess: async () => {
    await Promise.all([buildWorkerEntry(), buildGuestScripts()])
  },
})
