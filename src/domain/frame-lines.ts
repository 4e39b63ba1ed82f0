import { LineSplitter } from './line-splitter.js'

export interface FrameReceiver {
  /** One frame's text, and its bytes as they came. */
  frame(text: string, bytes: number): void
  /** A frame grew over `capBytes`. Nothing more is delivered. */
  overflow(capBytes: number): void
}

/** Bytes of a channel to the texts of its frames, one a line. A line that is no UTF-8 is no frame. */
export const frameLines = (
  capBytes: number,
  isUtf8: (bytes: Buffer) => boolean,
  receiver: FrameReceiver,
): LineSplitter =>
  new LineSplitter(capBytes, {
    line: (bytes) => {
      if (isUtf8(bytes)) receiver.frame(bytes.toString('utf8'), bytes.length)
    },
    overflow: () => receiver.overflow(capBytes),
  })
