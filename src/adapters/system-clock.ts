import { performance } from 'node:perf_hooks'
import type { CancelTimer, Clock } from '../ports/clock.js'

export class SystemClock implements Clock {
  now(): number {
    return performance.now()
  }

  after(ms: number, run: () => void): CancelTimer {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  }

  afterTurn(run: () => void): void {
    setImmediate(run)
  }
}
