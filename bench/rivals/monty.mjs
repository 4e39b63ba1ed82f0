import { Monty, runMontyAsync } from '@pydantic/monty'

const text = {
  call: (n) => `give(${n})`,
  result: (expression) => expression,
}

export const rival = {
  package: '@pydantic/monty',
  language: 'python',
  lacks: [
    'a subset of Python of its own: no class, match or yield statements, few modules, no packages',
    'runs in the host thread: a loop blocks the host',
    'host calls one at a time: the next starts when the last is answered',
    'no logs without a callback, no account of calls or cost',
  ],
  cannot: {
    '100 host calls at once': 'its JavaScript API answers a call before the program goes on',
    'import numpy': 'it has no packages',
  },
  modes: [
    {
      name: 'a fresh interpreter in the process',
      start: async () => ({
        run: (job) => runMontyAsync(new Monty(job.python(text)), { externalFunctions: { give: async (n) => n } }),
        stop: () => {},
      }),
    },
  ],
}
