import { loadPyodide } from 'pyodide'

const text = {
  call: (n) => `await give(${n})`,
  start: (n) => `give(${n})`,
  result: (expression) => expression,
}

const give = async (n) => n

const runIn = async (pyodide, job) => {
  const globals = pyodide.toPy({})
  globals.set('give', give)
  try {
    return await pyodide.runPythonAsync(job.python(text), { globals })
  } finally {
    globals.destroy()
  }
}

export const rival = {
  package: 'pyodide',
  language: 'python',
  lacks: [
    'CPython in WASM: several times slower, no processes, no threads',
    'runs in the host thread: a loop blocks the host and has no limit',
    'numpy and others only as builds of its own, from its CDN',
    'output goes to the host unless the app catches it; no account of calls or cost',
  ],
  cannot: { 'import numpy': 'its numpy is no npm package: it is fetched from a CDN' },
  modes: [
    {
      name: 'a fresh interpreter',
      start: async () => ({ run: async (job) => runIn(await loadPyodide(), job), stop: () => {} }),
    },
    {
      name: 'one interpreter, fresh globals: state leaks',
      start: async () => {
        const pyodide = await loadPyodide()
        return { run: (job) => runIn(pyodide, job), stop: () => {} }
      },
    },
  ],
}
