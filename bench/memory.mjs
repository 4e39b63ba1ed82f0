import { existsSync } from 'node:fs'
import { inChild } from './child.mjs'
import { inTurns } from './measure.mjs'

const GC = { execArgv: ['--expose-gc'] }
const MORE = 8

/** What an idle guest and an active run hold, and what many runs leave behind in the host. */
export const measure = async (context) => {
  const typescript = { language: 'typescript', bare: 'bare Worker' }
  await measureLanguage(context, 'memory, TypeScript', typescript)
  if (!existsSync('/proc/self/smaps_rollup')) {
    return context.report.group('memory, Python').skip('all', 'no /proc here')
  }
  for (const { path, label } of context.pythons) {
    const python = { language: 'python', pythonBin: path, bare: 'bare python -I -S' }
    await measureLanguage(context, `memory, ${label}`, python)
    const forked = { ...python, forkServer: true }
    await measureLanguage(context, `memory, ${label}, fork server`, forked)
  }
}

const measureLanguage = async ({ report, quick }, name, { bare, ...guest }) => {
  const group = report.group(name)
  const { refusal } = await inChild('./memory/hold-child.mjs', { ...guest, state: 'active', count: 1 }, GC)
  if (refusal !== undefined) return group.skip('all', refusal)
  await measureHeld(group, guest, { bare, rounds: quick ? 1 : 4 })
  await measureGrowth(group, guest, { bare, runs: quick ? 30 : 500 })
}

const measureHeld = async (group, guest, { bare, rounds }) => {
  const each = (state) => async () => {
    const hold = async (count) => (await inChild('./memory/hold-child.mjs', { ...guest, state, count }, GC)).mb
    const first = await hold(1)
    return ((await hold(1 + MORE)) - first) / MORE
  }
  const samples = await inTurns({ bare: each('bare'), idle: each('idle'), active: each('active') }, { rounds })
  const floor = { name: bare, samples: samples.bare }
  for (const state of ['idle', 'active']) {
    const name = state === 'idle' ? 'one more prepared guest' : 'one more run in a binding call'
    group.add({ name, samples: samples[state], unit: 'MB', floor })
  }
}

const measureGrowth = async (group, guest, { bare, runs }) => {
  const grow = (isBare) => inChild('./memory/growth-child.mjs', { ...guest, isBare, runs }, GC)
  const ours = await grow(false)
  const floor = await grow(true)
  const add = (key, what, figure) => {
    const besides = { name: `${bare}, ${runs} times`, samples: [floor[key]] }
    group.add({ name: `growth of ${what} over ${runs} runs`, samples: [ours[key]], floor: besides, ...figure })
  }
  const nothing = { of: 'median', atMost: 0 }
  add('rssMb', "the host's RSS", { unit: 'MB' })
  add('handles', "the host's handles", { unit: 'count', target: nothing })
  add('descriptors', "the host's descriptors", { unit: 'count', target: nothing })
}
