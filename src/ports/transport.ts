import type { FrameReceiver } from '../domain/frame-lines.js'

/** Framed texts over something: a pipe, a message port, a socket. It knows no frame's meaning. */
export interface Transport {
  /** Delivers what arrives, in order, from now on. Called once. */
  open(receiver: TransportReceiver): void
  /**
   * Writes one text. `sent` is called once: when the channel can take the next one (possibly before `send` returns),
   * or with the reason why it never will.
   */
  send(text: string, sent: (failure?: Error) => void): void
  /** Ends both directions and forgets what is buffered. Safe to call twice. */
  close(): void
}

export type TransportReceiver = FrameReceiver
