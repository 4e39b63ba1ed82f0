import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { findInstallProblem } from './install.mjs'

/** The lossless codec in this process, against the engine's own JSON. */
export const measure = async (context) => {
  const group = context.report.group('codecs, TypeScript')
  const problem = findInstallProblem(context)
  if (problem !== undefined) return group.skip('all', problem)
  const { sampleInTurns } = await import('./in-process.mjs')
  const codec = await loadCodec()
  const turns = { turns: context.quick ? 1 : 3, iterations: context.quick ? 2 : 5 }
  for (const { name, value } of VALUES) {
    const text = codec.encode(value).text
    for (const { verb, native, nativeName, ours } of [
      {
        verb: 'encode',
        native: () => JSON.stringify(value),
        nativeName: 'JSON.stringify',
        ours: () => codec.encode(value),
      },
      { verb: 'parse', native: () => JSON.parse(text), nativeName: 'JSON.parse', ours: () => codec.parse(text) },
    ]) {
      const samples = await sampleInTurns({ native, ours }, turns)
      const floor = { name: nativeName, samples: samples.native }
      group.add({ name: `${verb} ${name}`, samples: samples.ours, floor })
    }
  }
}

/** From source: it is no public export. */
const loadCodec = async () => {
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

const VALUES = [
  { name: '1e6 integers', value: Array.from({ length: 1e6 }, (_, index) => index) },
  { name: '16 MB string', value: 'x'.repeat(16e6) },
  {
    name: '50k rows',
    value: Array.from({ length: 50_000 }, (_, id) => ({ id, name: `row ${id}`, score: id / 7, tags: ['a', 'b'] })),
  },
  {
    name: '200k-key object',
    value: Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`key${index}`, index])),
  },
  { name: '3,000 levels', value: nest(3_000) },
]
