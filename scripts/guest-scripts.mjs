import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { replaceFile } from './replace-file.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Each is one expression, whose value is a function. */
const SCRIPTS = {
  agent: (bundle) => `(() => {\n${bundle}guest.freezeIntrinsics(globalThis)\nreturn guest.createAgent\n})()\n`,
  realm: (bundle) => `(() => {\n${bundle}return guest.createServices\n})()\n`,
}

/** Bundles the guest's half of the protocol into `dist/`, as texts for engines other than Node's. */
export async function buildGuestScripts({ minify = true } = {}) {
  await Promise.all(Object.keys(SCRIPTS).map((name) => buildScript(name, minify)))
}

async function buildScript(name, minify) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [`src/adapters/worker/guest/portable/${name}.ts`],
    bundle: true,
    format: 'iife',
    globalName: 'guest',
    platform: 'neutral',
    target: 'es2023',
    minifyWhitespace: minify,
    legalComments: 'none',
    write: false,
  })
  const text = SCRIPTS[name](outputFiles[0].text)
  await replaceFile({ path: `${root}dist/guest-${name}.js`, contents: Buffer.from(text) })
}
