/** What a backend can have beyond what every backend owes. A case that needs one which is not declared does not apply. */
export const CAPABILITIES = {
  computeMs: 'enforces that limit: busy time, waiting is free',
  cpuSeconds: 'enforces that limit: CPU time of the guest and of all that it started',
  maxHeapMb: 'enforces that limit: memory that the run may add',
  addressSpaceMb: 'enforces that limit: address space of the guest',
  'own-thread': 'a program that computes does not hold up the event loop of the host',
  'syntax-check': 'a program that does not parse is refused before a guest starts',
  platform: "the language's whole platform: globals and modules of Node, the standard library of CPython",
  timers: 'a program can wait for time to pass',
  exit: 'a program can end its guest with an exit code',
  environment: 'a program can read environment variables',
  stdin: 'a program can read standard input',
  streams: 'a program can write to standard output and standard error apart, and leave a line open',
  bytes: 'a program can write raw bytes to its output',
  'stray-output': "output that bypasses the language's streams is captured",
  subprocesses: 'a program can start processes, whose output is captured and which end with the run',
  channel: 'a program can write frames of its own to the channel',
  'deep-values': 'values of 100,000 levels cross',
  'large-values': 'values and texts of 60 MB cross',
  'cpu-usage': '`usage.cpuMs` is measured',
  'prepared-guests': 'guests can be held ready (`warm`)',
} as const

export type Capability = keyof typeof CAPABILITIES

/** One capability, or any of several. */
export type Requirement = Capability | readonly Capability[]

/** The first requirement that is not met, in words. */
export const firstUnmet = (requires: readonly Requirement[], declared: ReadonlySet<Capability>): string | undefined => {
  const unmet = requires.find((requirement) => ![requirement].flat().some((one) => declared.has(one)))
  return unmet === undefined ? undefined : [unmet].flat().join(' or ')
}

/** Of the limits that bound what a program computes, the one that the backend has. */
export const COMPUTE_LIMIT = ['computeMs', 'cpuSeconds'] as const
