// Statements of a host's script that make a part of the world fail, and mend it.

/** A temp root on a file system of its own. */
export const mounted = (options: string, fill = ''): string => `
const folder = mkdtempSync(process.env.TMPDIR + '/fs-')
const { TMPDIR } = process.env
inject = () => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', '${options}', 'none', folder])
  ${fill}
  process.env.TMPDIR = folder
}
undo = () => {
  process.env.TMPDIR = TMPDIR
  const left = readdirSync(folder).filter((name) => name !== 'full')
  if (left.length > 0) console.error('left: ' + left)
  execFileSync('umount', [folder])
  rmdirSync(folder)
}`

/** Real exhaustion of descriptors, a few excepted. */
export const descriptorsBut = (left: number): string => `
const taken = []
inject = () => {
  try { for (;;) taken.push(openSync('/dev/null', 'r')) } catch {}
  for (const fd of taken.splice(taken.length - ${left})) closeSync(fd)
}
undo = () => { for (const fd of taken) closeSync(fd) }`

export const ownInterpreter = (change: string): string => `
const wrapper = process.env.TMPDIR + '/python-of-this-row'
writeFileSync(wrapper, '#!/bin/sh\\nexec python3 "$@"\\n', { mode: 0o755 })
options = { pythonBin: wrapper }
inject = () => { ${change} }
undo = () => {
  rmSync(wrapper, { recursive: true, force: true })
  writeFileSync(wrapper, '#!/bin/sh\\nexec python3 "$@"\\n', { mode: 0o755 })
  later.push(() => rmSync(wrapper))
}`

export const control = (members: string, limits = '{}'): string => `
let isFaulty = false
class Control extends parts.NodeProcessControl {
  ${members}
}
options = { adapters: { processControl: new Control() }, limits: ${limits} }
inject = () => { isFaulty = true }
undo = () => { isFaulty = false }`

export const clock = (members: string): string => `
let isFaulty = false
class Clock extends parts.SystemClock {
  ${members}
}
options = { adapters: { clock: new Clock() }, limits: { maxWallMs: 60_000 } }
inject = () => { isFaulty = true }
undo = () => { isFaulty = false }`

/** The real bound on processes and threads, lowered and raised by shells that are there before. */
export const NO_THREADS = `
const [, soft] = /^Max processes +(\\S+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))
const limiter = (limit) => {
  const shell = spawn('sh', ['-c', 'read go; exec prlimit --pid ' + process.pid + ' --nproc=' + limit + ':'], { stdio: ['pipe', 'ignore', 'inherit'] })
  return async () => { shell.stdin.end('go'); await once(shell, 'close') }
}
inject = limiter(1)
undo = limiter(soft)`

export const LEFT_BY_NODE = ['descriptor anon_inode:[eventpoll]', ...Array(3).fill('resource PipeWrap')]
