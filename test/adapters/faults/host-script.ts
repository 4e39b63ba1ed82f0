import type { Adapter, Fault } from './fault.js'

const PRELUDE = `
const { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, readlinkSync, rmdirSync, rmSync, writeFileSync } = await import('node:fs')
const { execFileSync, spawn } = await import('node:child_process')
const { once } = await import('node:events')
const read = (path) => { try { return readFileSync(path, 'latin1') } catch { return '' } }
const target = (fd) => { try { return readlinkSync('/proc/self/fd/' + fd).replace(/\\d+/g, 'N') } catch { return '' } }
const parentOf = (pid) => read('/proc/' + pid + '/stat').split(') ').at(-1)?.split(' ')[1]
const turns = async () => { for (let i = 0; i < 5; i += 1) await new Promise((resolve) => setImmediate(resolve)) }
/** What a run may leave behind. */
const held = () => [
  ...readdirSync('/proc/self/fd').map((fd) => 'descriptor ' + target(fd)),
  ...readdirSync('/proc').filter((pid) => parentOf(pid) === String(process.pid)).map(() => 'child'),
  ...readdirSync(process.env.TMPDIR).map((name) => 'file ' + name),
  ...process.getActiveResourcesInfo().map((name) => 'resource ' + name),
  ...process.eventNames().map((name) => 'listeners ' + String(name) + ' ' + process.listenerCount(name)),
]
const without = (all, some) => { const left = [...some]; return all.filter((item) => { const at = left.indexOf(item); if (at >= 0) left.splice(at, 1); return at < 0 }) }
const later = []
let options = {}
let inject = () => {}
let undo = () => {}
const pending = []
const late = () => { const answer = new Promise((resolve) => setTimeout(resolve, 100)); pending.push(answer); return answer }
const functions = { ...TOOLS, late, big: () => 'x'.repeat(1_000_000) }
`

const SIMPLE = { typescript: 'const one: number = 1\nreturn one', python: 'return 1' }

export const script = (adapter: Adapter, { arrange, program = SIMPLE }: Fault): string => `${PRELUDE}
const make = ({ limits, ...rest } = {}) => createCodeRuntime({ language: '${adapter}', warm: 0, limits: { maxWallMs: 5_000, ${adapter === 'python' ? 'graceMs: 300, ' : ''}...limits }, ...rest })
const cycle = await make()
await cycle.run({ program: ${JSON.stringify(SIMPLE[adapter])} })
await cycle.dispose()
say('ready')
await turns()
const before = held()
${arrange}
const runtime = await make(options)
await inject()
const { value, error } = await runtime.run({ program: ${JSON.stringify(program[adapter])}, bindings: [{ global: 'tools', functions }] })
await undo()
const next = await runtime.run({ program: ${JSON.stringify(SIMPLE[adapter])} })
await runtime.dispose()
for (const act of later) act()
await Promise.all(pending)
await turns()
say({ value, error, next: next.value ?? next.error, left: without(held(), before) })`
