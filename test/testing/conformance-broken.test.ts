import { expect, it, onTestFinished } from 'vitest'
import { OWN_BACKENDS } from '../../src/cli/own-backends.js'
import { createCodeRuntime } from '../../src/index.js'
import { runConformance } from '../../src/testing.js'
import { type Fault, FaultyLauncher, lastingProcess } from './faulty-launcher.js'

const capabilities = OWN_BACKENDS[0]!.backend.capabilities.filter((name) => name !== 'prepared-guests')

/** The cases that fail on a backend with a fault. */
const failing = async (fault: Fault, sections: readonly string[]): Promise<string[]> => {
  const faulty = new FaultyLauncher(fault)
  onTestFinished(() => {
    for (const child of faulty.leaked) child.kill('SIGKILL')
  })
  const matrix = await runConformance(
    'faulty',
    {
      language: 'typescript',
      capabilities,
      create: ({ limits = {} }) => createCodeRuntime({ launcher: faulty.create(), limits }),
    },
    { sections },
  )
  return matrix.sections
    .flatMap(({ results }) => results)
    .flatMap(({ outcome, id }) => (outcome === 'failed' ? [id] : []))
}

const LOGS = [
  '6.1 two values in one print are one entry',
  '6.1 a text with newlines is several entries',
  '6.1 a blank line is an entry',
  '6.1 a carriage return is text',
  '6.1 odd characters arrive as printed',
  '6.1 a byte order mark is text',
  '6.1 lone surrogates are replaced',
  '6.1 what was printed before a throw is kept',
]
const VALUES = [
  '3.1 top-level await and return work',
  '3.1 a body without await works',
  '3.1 a value of null is a value',
  '3.1 each namespace is a global object',
]

it.each<[title: string, sections: readonly string[], fault: Fault, ids: readonly string[]]>([
  ['does all that the real one does', ['3.1', '4.1', '6.1', '9', '11'], {}, []],
  ['drops a log', ['3.1', '6.1'], { frames: (frame) => (frame.type === 'log' ? [] : [frame]) }, LOGS],
  ['answers twice', ['3.1', '4.1', '6.1', '9', '11'], { frames: (frame) => [frame, frame] }, LOGS],
  [
    'leaks a process',
    ['3.1', '6.1', '11'],
    { leak: lastingProcess },
    ['11.5 what a runtime leaves behind is nothing: no resource, no listener, no process'],
  ],
  [
    'ignores an abort',
    ['3.1', '9.1'],
    { ignoresStop: (reason) => reason === 'abort' },
    ['9.1 an aborted program does nothing more'],
  ],
  [
    'lies in done',
    ['3.1', '6.1'],
    { frames: (frame) => (frame.type === 'done' && 'value' in frame ? [{ ...frame, value: 5 }] : [frame]) },
    VALUES,
  ],
])(
  'a backend that %s fails exactly the right cases',
  async (_title, sections, fault, ids) => {
    expect(await failing(fault, sections)).toEqual(ids)
  },
  60_000,
)
