const OVERHEAD = 64

/** What a message weighs in flow control, on both sides: its characters, and something for being one. */
export const messageSize = (text: string): number => text.length + OVERHEAD
