import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** The codec from source: it is no public export. */
export const loadCodec = async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { createJsonCodec } from './src/domain/json/codec.js'
        import { nodeJsonEngine } from './src/adapters/json-engine.js'
        export const codec = createJsonCodec(nodeJsonEngine)`,
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  })
  const { codec } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
  )
  return codec
}

const nest = (depth) => {
  let value = []
  for (let level = 1; level < depth; level += 1) value = [value]
  return value
}

export const CODEC_VALUES = {
  '1e6 integers': Array.from({ length: 1e6 }, (_, index) => index),
  '16 MB string': 'x'.repeat(16e6),
  '50k rows': Array.from({ length: 50_000 }, (_, id) => ({ id, name: `row ${id}`, score: id / 7, tags: ['a', 'b'] })),
  '200k-key object': Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`key${index}`, index])),
  '3,000 levels': nest(3_000),
}
