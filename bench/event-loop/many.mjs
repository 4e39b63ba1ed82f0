import { inChild } from '../child.mjs'

const RUNS = 200

/** Many runs started in one turn, a few guests at a time: what they cost, and what the host's event loop feels. */
export const measure = async (context) => {
  await measureLanguage(context, 'many at once, TypeScript', { language: 'typescript' })
  for (const { path, label } of context.pythons) {
    const python = { language: 'python', pythonBin: path }
    await measureLanguage(context, `many at once, ${label}`, python)
    await measureLanguage(context, `many at once, ${label}, fork server`, { ...python, forkServer: true })
  }
}

const measureLanguage = async ({ report, quick, cores }, name, guest) => {
  const group = report.group(name)
  const runs = quick ? 40 : RUNS
  const request = { guest, runs, atOnce: 2 * cores }
  const ours = await inChild('./event-loop/burst-child.mjs', { ...request, isBare: false })
  if (ours.refusal !== undefined) return group.skip(`${runs} runs`, ours.refusal)
  const bare = await inChild('./event-loop/burst-child.mjs', { ...request, isBare: true })
  const what = `${runs} runs, ${request.atOnce} at a time`
  const bareName = `as many bare ${guest.language === 'typescript' ? 'Workers' : 'interpreters'}`
  for (const [key, figure, unit] of FIGURES) {
    if (ours[key] === undefined) {
      group.skip(`${what}: ${figure}`, 'unknown without /proc')
      continue
    }
    const floor = bare[key] === undefined ? undefined : { name: bareName, samples: [bare[key]] }
    const target = key === 'peakLive' ? { of: 'median', atMost: request.atOnce } : undefined
    group.add({ name: `${what}: ${figure}`, samples: [ours[key]], unit, floor, target })
  }
}

const FIGURES = [
  ['totalMs', 'total time', 'ms'],
  ['delayP50Ms', 'event loop delay, p50', 'ms'],
  ['delayP99Ms', 'event loop delay, p99', 'ms'],
  ['delayMaxMs', 'event loop delay, max', 'ms'],
  ['peakLive', 'guests alive at most', 'count'],
  ['peakRssMb', "peak of the host's RSS", 'MB'],
]
