/** Memory that host and worker share beside the channel. Never reachable by the program. */
const CONSUMED = 0
const THREAD_ID = 1
const TAKEN = 2
const SLOTS = 3

// Captured: in a worker the program can rebind Atomics.
const { add, load, notify, store, wait } = Atomics

export type ControlBlock = Int32Array<SharedArrayBuffer>

export const newControlBlock = (): ControlBlock => new Int32Array(new SharedArrayBuffer(SLOTS * 4))

/** How many messages the worker has taken, modulo 2^32. */
export const consumedMessages = (block: ControlBlock): number => load(block, CONSUMED)

export const noteConsumed = (block: ControlBlock): void => {
  add(block, CONSUMED, 1)
  notify(block, CONSUMED)
}

type WaitAsync = (
  block: ControlBlock,
  index: number,
  value: number,
) => { readonly async: boolean; readonly value: string | Promise<string> }

// In V8 since Node 16; TypeScript declares it only from ES2024 on.
const { waitAsync } = Atomics as unknown as { waitAsync: WaitAsync }

/** Resolves when the worker has taken more than `seen` messages. */
export const moreConsumed = async (block: ControlBlock, seen: number): Promise<void> => {
  await waitAsync(block, CONSUMED, seen).value
}

export const threadIdOf = (block: ControlBlock): number | undefined => load(block, THREAD_ID) || undefined

export const noteThreadId = (block: ControlBlock, threadId: number | undefined): void => {
  store(block, THREAD_ID, threadId ?? 0)
}

/** A message that the host took, by its size. A worker that is too far ahead waits for this. */
export const noteTaken = (block: ControlBlock, size: number): void => {
  add(block, TAKEN, size)
  notify(block, TAKEN)
}

/** Blocks the worker while more than `window` of what it sent, modulo 2^32, was not taken. */
export const waitUntilTaken = (block: ControlBlock, sent: number, window: number): void => {
  for (let taken = load(block, TAKEN); (sent - taken) >>> 0 > window; taken = load(block, TAKEN)) {
    wait(block, TAKEN, taken)
  }
}
