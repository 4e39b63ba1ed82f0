const give = async ({ n }) => n

/** One namespace, `tools.give`, that answers with the `n` it was called with. */
const BINDINGS = [{ global: 'tools', functions: { give } }]

export const TYPESCRIPT_JOBS = {
  'return 1': { program: 'return 1', expected: 1, messages: 1 },
  'three bindings at once': {
    program: 'return (await Promise.all([1, 2, 3].map((n) => tools.give({ n })))).length',
    bindings: BINDINGS,
    expected: 3,
    messages: 3,
  },
}

export const PYTHON_JOBS = {
  'return 1': { program: 'return 1', expected: 1, imports: 'pass', flags: ['-I', '-S'] },
  'three bindings at once': {
    program: 'import asyncio\nreturn len(await asyncio.gather(*[tools.give(n=n) for n in (1, 2, 3)]))',
    bindings: BINDINGS,
    expected: 3,
    imports: 'import asyncio',
    flags: ['-I'],
  },
}

export const NUMPY_JOB = {
  program: 'import numpy\nreturn int(numpy.arange(4).sum())',
  expected: 6,
  imports: 'import numpy',
  flags: ['-I'],
}

/** The bare interpreter that does what the job cannot do without. */
export const bareArgs = ({ flags, imports }) => [...flags, '-c', imports]
export const bareName = (job) => `bare python ${job.flags.join(' ')} -c '${job.imports}'`
