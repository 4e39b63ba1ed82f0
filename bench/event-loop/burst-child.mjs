import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { answer, argument } from '../child.mjs'
import { runJob, tryRuntime } from '../code-runtime.mjs'
import { liveInterpreter } from '../floors/interpreter.mjs'
import { liveWorker } from '../floors/worker.mjs'
import { pause, timed } from '../measure.mjs'

const RESOLUTION_MS = 1
const LIVE_STATES = ['starting', 'running', 'settling']
const { guest, runs, atOnce, isBare } = argument()
answer(isBare ? await burst({ one: bareLife() }) : await burstOfRuns())

async function burstOfRuns() {
  const { runtime, refusal } = await tryRuntime({ ...guest, maxConcurrentRuns: atOnce })
  if (refusal !== undefined) return { refusal }
  const live = new Set()
  let peakLive = 0
  const one = (n) => {
    const onEvent = ({ type, state }) => {
      if (type !== 'state') return
      if (LIVE_STATES.includes(state)) live.add(n)
      else live.delete(n)
      peakLive = Math.max(peakLive, live.size)
    }
    return runJob({ run: (request) => runtime.run({ ...request, onEvent }) }, { program: `return ${n}`, expected: n })
  }
  await one(0)
  const figures = await burst({ one })
  await runtime.dispose()
  return { ...figures, peakLive }
}

/** A bare guest's life, `atOnce` of them at a time. */
function bareLife() {
  const life =
    guest.language === 'typescript'
      ? () => liveWorker(1)
      : () => liveInterpreter(guest.pythonBin, ['-I', '-S', '-c', 'pass'])
  const lanes = Array.from({ length: atOnce }, () => Promise.resolve())
  return (n) => {
    lanes[n % atOnce] = lanes[n % atOnce].then(life)
    return lanes[n % atOnce]
  }
}

async function burst({ one }) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  await pause(100)
  delay.enable()
  const totalMs = await timed(() => Promise.all(Array.from({ length: runs }, (_, n) => one(n))))
  delay.disable()
  return {
    totalMs,
    delayP50Ms: lateMs(delay.percentile(50)),
    delayP99Ms: lateMs(delay.percentile(99)),
    delayMaxMs: lateMs(delay.max),
    peakRssMb: peakRssMb(),
  }
}

/** The histogram holds whole intervals between two looks, the wanted pause included. */
function lateMs(intervalNs) {
  return Math.max(0, intervalNs / 1e6 - RESOLUTION_MS)
}

/** Not `resourceUsage().maxRSS`: Linux begins that at what the parent had when it forked. */
function peakRssMb() {
  try {
    const kib = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    return (Number(kib) * 1024) / 1e6
  } catch {
    return undefined
  }
}
