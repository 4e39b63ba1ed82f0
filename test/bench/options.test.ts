import { describe, expect, it } from 'vitest'
import { readOptions } from '../../bench/options.mjs'

describe('the options of the benchmark', () => {
  it('choose families, interpreters and files', () => {
    const args = ['--only', 'start,calls', '--python', 'a', '--python', 'b', '--json', 'out.json', '--quick']
    expect(readOptions(args)).toMatchObject({
      families: ['start', 'calls'],
      pythons: ['a', 'b'],
      json: 'out.json',
      quick: true,
      mayInstall: true,
    })
  })

  it.each([
    [['--only', 'start,speed'], '--only: unknown speed; there are start, sustained,'],
    [['--rivals', 'node-vm'], '--rivals: unknown node-vm; there are vercel-run,'],
    [['--fast'], "Unknown option '--fast'"],
  ])('%j is refused', (args, message) => {
    expect(() => readOptions(args)).toThrow(message)
  })
})
