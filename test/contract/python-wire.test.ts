import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { PROTOCOL_FD, WIRE } from '../../src/domain/frame.js'
import { truncationMarker } from '../../src/domain/ledger.js'

type Shape = { required: Record<string, unknown>; optional: Record<string, unknown> }

const MARKER_BUDGETS = [1, 65_536, 1_048_576]

const DUMP = `
import json, sys
sys.path.insert(0, sys.argv[1])
from agent import wire
print(json.dumps({
    "fd": wire.FD,
    "frames": {**wire.FRAMES, "namespace": wire.NAMESPACE},
    "markers": [wire.truncation_marker(size) for size in json.loads(sys.argv[2])],
    "kinds": wire.KINDS,
    "streams": wire.STREAMS,
}))
`

const python = JSON.parse(
  execFileSync(
    'python3',
    ['-I', '-B', '-c', DUMP, fileURLToPath(new URL('../../py', import.meta.url)), JSON.stringify(MARKER_BUDGETS)],
    { encoding: 'utf8' },
  ),
) as { fd: number; frames: Record<string, Shape>; markers: string[]; kinds: string[]; streams: string[] }

describe('what the Python guest declares', () => {
  test('is the same frames', () => {
    expect(Object.keys(python.frames).toSorted()).toEqual(Object.keys(WIRE).toSorted())
  })

  test.each(Object.keys(WIRE).filter((name) => name !== 'boot'))('%s has the same fields', (name) => {
    expect(python.frames[name]).toEqual(WIRE[name])
  })

  test('boot has the same fields; the limits of a process are always among them', () => {
    const { required, optional } = WIRE['boot'] as Shape
    expect(python.frames['boot']).toEqual({ required: { ...required, ...optional }, optional: {} })
  })

  test('the channel is the same descriptor', () => {
    expect(python.fd).toBe(PROTOCOL_FD)
  })

  test('the truncation marker is the same text', () => {
    expect(python.markers).toEqual(MARKER_BUDGETS.map(truncationMarker))
  })

  test('the kinds and streams are the same words', () => {
    expect([python.kinds, python.streams]).toEqual([
      ['exception', 'invalid-output', 'output-limit'],
      ['stdout', 'stderr'],
    ])
  })
})
