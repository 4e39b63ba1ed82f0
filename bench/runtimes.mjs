import { tryRuntime } from './code-runtime.mjs'

export const TYPESCRIPT_MODES = { cold: { warm: 0 }, prepared: { warm: 1 } }

/** The ways to run Python; `numpy` is preloaded where the job imports it. */
export const PYTHON_MODES = {
  cold: { warm: 0 },
  prepared: { warm: 1 },
  'fork server': { warm: 0, forkServer: true },
  'fork server, prepared': { warm: 1, forkServer: true },
}

export const NUMPY_MODES = {
  ...PYTHON_MODES,
  'fork server with preload': { warm: 0, forkServer: { preload: ['numpy'] } },
  'fork server with preload, prepared': { warm: 1, forkServer: { preload: ['numpy'] } },
}

/** A runtime for each mode; what this version refuses is reported as skipped. */
export const openModes = async (modes, options, skip) => {
  const open = {}
  for (const [mode, modeOptions] of Object.entries(modes)) {
    const { runtime, refusal } = await tryRuntime({ ...options, ...modeOptions })
    if (runtime === undefined) skip(mode, refusal)
    else open[mode] = { runtime, isPrepared: modeOptions.warm > 0 }
  }
  return open
}

export const closeModes = (open) => Promise.all(Object.values(open).map(({ runtime }) => runtime.dispose()))

/** Long enough for the next guest to be ready, also on a slow machine: it boots in about the time of a cold run. */
export const preparedMs = (runMs) => Math.max(250, 3 * runMs)
