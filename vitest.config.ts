import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url))

export default defineConfig({
  resolve: {
    alias: [
      { find: /^code-runtime$/, replacement: source('index.ts') },
      { find: /^code-runtime\/backend$/, replacement: source('backend.ts') },
      { find: /^code-runtime\/testing$/, replacement: source('testing.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build-worker-entry.ts'],
    setupFiles: ['test/support/setup.ts'],
    reporters: ['default', './test/support/count-reporter.ts'],
    pool: 'threads',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    coverage: {
      provider: 'custom',
      customProviderModule: './test/support/coverage-provider.mjs',
      include: ['src/**/*.ts'],
      exclude: ['**/*.d.ts'],
      excludeAfterRemap: true,
      reportOnFailure: true,
      reporter: ['text', 'lcovonly'],
      thresholds: { lines: 98 },
    },
  },
})
