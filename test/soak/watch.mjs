import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** A temp root of our own: what is in it is ours, and so is every process that was told of it. */
const root = mkdtempSync(join(tmpdir(), 'soak-'))
process.env.TMPDIR = root
process.on('exit', () => rmSync(root, { recursive: true, force: true }))

const list = (folder) => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const read = (path) => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

const stats = () =>
  list('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => read(`/proc/${pid}/stat`))
    .filter((line) => line !== '')
    .map((line) => {
      const [state, parent] = line.slice(line.lastIndexOf(')') + 2).split(' ')
      return { pid: Number.parseInt(line, 10), state, parent: Number(parent) }
    })

/** Processes of ours, wherever they went. */
const processes = () => {
  const all = stats()
  const ours = new Set([process.pid])
  for (const pid of ours) for (const each of all) if (each.parent === pid) ours.add(each.pid)
  return all.filter(
    ({ pid }) => pid !== process.pid && (ours.has(pid) || read(`/proc/${pid}/environ`).includes(`TMPDIR=${root}`)),
  )
}

/** What this process holds now. Where there is no /proc, only memory, handles and files are told. */
const look = () => {
  const found = processes()
  return {
    'RSS in MB': Math.round(process.memoryUsage.rss() / 1e6),
    'heap in MB': Math.round(process.memoryUsage().heapUsed / 1e6),
    handles: process.getActiveResourcesInfo().filter((name) => !['Timeout', 'TTYWrap'].includes(name)).length,
    descriptors: list('/proc/self/fd').length,
    threads: list('/proc/self/task').length,
    processes: found.filter(({ state }) => state !== 'Z').length,
    zombies: found.filter(({ state }) => state === 'Z').length,
    'temp files': list(root).length,
  }
}

/** How much more of each the end may hold than the state after warming up. */
export const BOUNDS = {
  'RSS in MB': 100,
  'heap in MB': 15,
  handles: 0,
  descriptors: 0,
  threads: 2,
  processes: 0,
  zombies: 0,
  'temp files': 0,
}

/** The state when nothing is left to end: several looks, for what the system takes a moment for. */
export const lookAtRest = async (beforeMs = 3_000) => {
  const deadline = performance.now() + beforeMs
  for (;;) {
    globalThis.gc?.()
    const state = look()
    if (performance.now() > deadline || state.processes + state.zombies + state['temp files'] === 0) return state
    await pause(50)
  }
}
