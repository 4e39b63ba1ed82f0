import { fileURLToPath } from 'node:url'

const bridge = fileURLToPath(new URL('../src/adapters/worker/guest/bridge.ts', import.meta.url))

/**
 * Bundles the bridge with the given esbuild; the result defines the global `bridge` where it is evaluated.
 * @param {Pick<typeof import('esbuild'), 'build'>} esbuild
 * @param {{ minify: boolean, sourcemap?: 'external' }} options
 */
export function bundleBridge({ build }, { minify, sourcemap }) {
  return build({
    entryPoints: [bridge],
    outfile: 'dist/bridge.js',
    bundle: true,
    format: 'iife',
    globalName: 'bridge',
    platform: 'neutral',
    target: 'node20',
    minifySyntax: minify,
    minifyWhitespace: minify,
    legalComments: 'none',
    sourcemap: sourcemap ?? false,
    metafile: true,
    write: false,
  })
}

/**
 * Resolves `bridge:source` to the text of the bundled bridge.
 * @param {{ minify: boolean }} options
 * @returns {import('esbuild').Plugin}
 */
export const bridgePlugin = (options) => ({
  name: 'bridge-source',
  setup(build) {
    build.onResolve({ filter: /^bridge:source$/ }, ({ path }) => ({ path, namespace: 'bridge' }))
    build.onLoad({ filter: /.*/, namespace: 'bridge' }, async () => {
      const { outputFiles, metafile } = await bundleBridge(build.esbuild, options)
      return { contents: outputFiles[0].text, loader: 'text', watchFiles: Object.keys(metafile.inputs) }
    })
  },
})
