/** False when there is no such process or group (any more), or none that may be signalled. */
export const sendSignal = (pid: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    // macOS answers EPERM for a group of zombies.
    if (code === 'ESRCH' || code === 'EPERM') return false
    throw error
  }
}

/** A stopped process takes no other signal than SIGKILL before it is continued. */
export const askToEnd = (pid: number): boolean => {
  const wasSent = sendSignal(pid, 'SIGTERM')
  if (wasSent) sendSignal(pid, 'SIGCONT')
  return wasSent
}
