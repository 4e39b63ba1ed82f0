/** How a guest ended. */
export type GuestExit =
  | { readonly type: 'exited'; readonly code: number }
  | { readonly type: 'killed'; readonly signal: string }
  | { readonly type: 'failed-to-start'; readonly message: string }
  | { readonly type: 'crashed'; readonly message: string }

export interface GuestUsage {
  readonly cpuMs: number | null
  readonly peakMemoryBytes: number | null
}

export const NOTHING_MEASURED: GuestUsage = { cpuMs: null, peakMemoryBytes: null }

export const describeExit = (exit: GuestExit): string => {
  switch (exit.type) {
    case 'exited':
      return `the guest exited with code ${exit.code} before completing`
    case 'killed':
      return `the guest was killed by ${exit.signal} before completing`
    case 'failed-to-start':
      return `the guest failed to start: ${exit.message}`
    case 'crashed':
      return `the guest crashed before completing: ${exit.message}`
  }
}
