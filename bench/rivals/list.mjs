// isolated-vm asks for it on Node 20.
const NO_SNAPSHOT = ['--no-node-snapshot']

/** The packages by the file that uses each. */
export const RIVALS = {
  'vercel-run': { name: 'run' },
  'isolated-vm': { name: 'isolated-vm', execArgv: NO_SNAPSHOT },
  'quickjs-emscripten': { name: 'quickjs-emscripten' },
  'sebastianwessel-quickjs': { name: '@sebastianwessel/quickjs' },
  'utcp-code-mode': { name: '@utcp/code-mode', execArgv: NO_SNAPSHOT },
  tinypool: { name: 'tinypool' },
  piscina: { name: 'piscina' },
  monty: { name: '@pydantic/monty' },
  pyodide: { name: 'pyodide' },
  'python-shell': { name: 'python-shell' },
  pythonia: { name: 'pythonia' },
}
