import { closedLoop } from './measure.mjs'

/** Adds a row for each task but the floor's; the ratio is that of the rates. */
export const addLoops = async (group, { tasks, floorName, quick }) => {
  for (const clients of [1, 4]) {
    const loops = await loopInTurns(tasks, { clients, slices: quick ? 1 : 3, ms: quick ? 300 : 1000 })
    const { samples, perSecond } = loops[floorName]
    const floor = { name: floorName, samples, perSecond }
    for (const [name, loop] of Object.entries(loops)) {
      if (name === floorName) continue
      const clientsName = `${clients} client${clients === 1 ? '' : 's'}`
      group.add({ name: `${name}, ${clientsName}`, ...loop, floor, ratio: perSecond / loop.perSecond })
    }
  }
}

const loopInTurns = async (tasks, { clients, slices, ms }) => {
  const loops = Object.fromEntries(Object.keys(tasks).map((name) => [name, { samples: [], elapsedMs: 0 }]))
  for (let slice = 0; slice < slices; slice += 1) {
    for (const [name, task] of Object.entries(tasks)) {
      const { samples, elapsedMs } = await closedLoop(task, { clients, ms })
      loops[name].samples.push(...samples)
      loops[name].elapsedMs += elapsedMs
    }
  }
  return Object.fromEntries(
    Object.entries(loops).map(([name, { samples, elapsedMs }]) => [
      name,
      { samples, perSecond: (samples.length / elapsedMs) * 1000 },
    ]),
  )
}
