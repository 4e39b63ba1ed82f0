import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Timers of the fuzzer, and requests that end by themselves. */
const PASSING = /^(Timeout|Immediate|.*Req(Callback|Promise)?)$/

const attempt = (read: () => string): string => {
  try {
    return read()
  } catch {
    return ''
  }
}

const isChild = (pid: string): boolean =>
  attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1'))
    .split(') ')
    .at(-1)
    ?.split(' ')[1] === String(process.pid)

/** The pids of this process's children. */
export const children = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isChild(name))
    .map(Number)

/** What this process holds: threads, children, pipes and files under its temp root, each by its kind. */
export const heldResources = (temp: string): string[] => {
  const descriptors = readdirSync('/proc/self/fd')
    .map((fd) => attempt(() => readlinkSync(`/proc/self/fd/${fd}`)))
    .map((target) => target.replaceAll(/\d+/g, 'N'))
    .filter((target) => target.startsWith('socket') || target.startsWith('pipe'))
  const handles = process.getActiveResourcesInfo().filter((name) => !PASSING.test(name))
  return [
    ...descriptors,
    ...children().map(() => 'child'),
    ...readdirSync(temp).map((name) => `file ${name.replace(/-[^-]*$/, '')}`),
    ...handles,
  ].toSorted()
}
