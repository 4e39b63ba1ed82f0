import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { mergeScriptCovs } from '@bcoe/v8-coverage'
import v8 from '@vitest/coverage-v8'
import { V8CoverageProvider } from '@vitest/coverage-v8/dist/provider.js'
import * as esbuild from 'esbuild'
import { bundleBridge } from '../../scripts/bridge-plugin.mjs'

const entry = new URL('../../dist/worker-entry.cjs', import.meta.url).href

/** The v8 provider, which sees test threads only, joined by what guests wrote to NODE_V8_COVERAGE. */
class GuestCoverageProvider extends V8CoverageProvider {
  async getCoverageMapForUncoveredFiles(testedFiles) {
    const guests = await this.#guestCoverage()
    const coverage = await super.getCoverageMapForUncoveredFiles([...testedFiles, ...guests.files()])
    coverage.merge(guests)
    return coverage
  }

  async #guestCoverage() {
    const coverage = this.createCoverageMap()
    for (const { url, source } of [await entrySource(), await bridgeSource()]) {
      const merged = mergeScriptCovs(await guestScripts(url))
      if (merged) coverage.merge(await this.remapCoverage(source.url, 0, source, merged.functions))
    }
    coverage.filter((file) => file.endsWith('.ts'))
    return coverage
  }
}

async function guestScripts(url) {
  const folder = process.env['NODE_V8_COVERAGE']
  const scripts = []
  for (const file of folder ? await readdir(folder) : []) {
    const { result } = JSON.parse(await readFile(join(folder, file), 'utf8'))
    scripts.push(...result.filter((script) => script.url === url))
  }
  return scripts
}

async function entrySource() {
  const [code, map] = await Promise.all([entry, `${entry}.map`].map((url) => readFile(new URL(url), 'utf8')))
  return { url: entry, source: { url: entry, code, map: withAbsoluteSources(JSON.parse(map), fileURLToPath(entry)) } }
}

async function bridgeSource() {
  const { outputFiles } = await bundleBridge(esbuild, { minify: false, sourcemap: 'external' })
  const [map, code] = outputFiles
  const source = {
    url: pathToFileURL(code.path).href,
    code: code.text,
    map: withAbsoluteSources(JSON.parse(map.text), code.path),
  }
  return { url: 'code-runtime:agent', source }
}

function withAbsoluteSources(map, path) {
  return { ...map, sources: map.sources.map((source) => pathToFileURL(join(dirname(path), source)).href) }
}

export default {
  ...v8,
  getProvider: async () => new GuestCoverageProvider(),
}
