const HUNDRED = 100

/**
 * The same small jobs for everyone. `give` is an async host function that returns its argument.
 * A Python text is made for the way in which a rival calls the host and hands back a value:
 * `call` calls and waits, `start` gives something awaitable, `result` ends the program.
 */
export const jobsFor = (steps) => [
  {
    name: 'return 1',
    expected: 1,
    javascript: 'return 1',
    python: ({ result }) => result('1'),
  },
  {
    name: 'one host call',
    expected: 7,
    javascript: 'return await tools.give({ n: 7 })',
    python: ({ call, result }) => result(call('7')),
  },
  {
    name: '100 host calls in turn',
    expected: sumBelow(HUNDRED),
    javascript: `
      let total = 0
      for (let n = 0; n < ${HUNDRED}; n++) total += await tools.give({ n })
      return total`,
    python: ({ call, result }) => `total = 0\nfor n in range(${HUNDRED}): total += ${call('n')}\n${result('total')}`,
  },
  {
    name: '100 host calls at once',
    expected: sumBelow(HUNDRED),
    javascript: `
      const answers = await Promise.all(Array.from({ length: ${HUNDRED} }, (_, n) => tools.give({ n })))
      return answers.reduce((total, n) => total + n, 0)`,
    python: ({ start, result }) =>
      `import asyncio\nanswers = await asyncio.gather(*[${start('n')} for n in range(${HUNDRED})])\n${result('sum(answers)')}`,
  },
  {
    name: `loop of ${(steps / 1e6).toLocaleString('en')} million steps`,
    isLoop: true,
    expected: loop(steps),
    javascript: `
      let total = 0
      for (let step = 0; step < ${steps}; step++) total = (total + step) % 1000003
      return total`,
    python: ({ result }) => `
def loop():
    total = 0
    for step in range(${steps}): total = (total + step) % 1000003
    return total
${result('loop()')}`,
  },
  {
    name: 'import numpy',
    onlyPython: true,
    expected: 6,
    python: ({ result }) => `import numpy\n${result('int(numpy.arange(4).sum())')}`,
  },
]

export const give = async ({ n }) => n

/** How code-runtime's own Python programs say it. */
export const OWN_PYTHON = {
  call: (n) => `await tools.give(n=${n})`,
  start: (n) => `tools.give(n=${n})`,
  result: (expression) => `return ${expression}`,
}

function sumBelow(count) {
  return (count * (count - 1)) / 2
}

function loop(steps) {
  let total = 0
  for (let step = 0; step < steps; step += 1) total = (total + step) % 1000003
  return total
}
