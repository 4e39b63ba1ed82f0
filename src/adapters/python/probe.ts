import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { thrownText } from '../../domain/text.js'

const PROBE_MS = 5_000
const MAX_REPORT_BYTES = 65_536
const PROBE = `
import sys
print("code-runtime", sys.implementation.name, *sys.version_info[:2], sep="\\n")
print(sys.executable.encode("utf-8", "surrogateescape").hex())
`

export type ProbeReport = { readonly text: string; readonly isLate: boolean } | { readonly failure: string }

/** What an interpreter prints about itself, isolated, within five seconds; then it is killed with its group. */
export const probe = (path: string): Promise<ProbeReport> =>
  new Promise((settle) => {
    try {
      listen(spawn(path, ['-I', '-S', '-c', PROBE], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] }), settle)
    } catch (error) {
      settle({ failure: thrownText(error) })
    }
  })

type Probed = ChildProcessByStdio<null, Readable, null>

const listen = (child: Probed, settle: (report: ProbeReport) => void): void => {
  // With no descriptor left there is no stream (EMFILE).
  const stdout = child.stdout as Readable | undefined
  let text = ''
  let isOver = false
  const end = (report: ProbeReport): void => {
    if (isOver) return
    isOver = true
    clearTimeout(deadline)
    killGroup(child.pid)
    stdout?.destroy()
    settle(report)
  }
  const deadline = setTimeout(() => end({ text, isLate: true }), PROBE_MS)
  stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
    if (text.length > MAX_REPORT_BYTES) end({ text, isLate: false })
  })
  stdout?.on('error', () => {})
  child.on('error', (error) => end({ failure: error.message }))
  child.once('close', () => end({ text, isLate: false }))
}

const killGroup = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    // macOS answers EPERM for a group of zombies.
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}
