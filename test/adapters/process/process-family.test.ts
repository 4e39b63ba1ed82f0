import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PidHorizon } from '../../../src/adapters/process/pid-horizon.js'
import { ProcFiles, type ProcStat } from '../../../src/adapters/process/proc-files.js'
import { ProcessFamily } from '../../../src/adapters/process/process-family.js'
import { newMark } from '../../../src/adapters/process/run-mark.js'
import { TreeMeter } from '../../../src/adapters/process/tree-meter.js'

const { mark } = newMark()
const number = mark.split('=')[1] ?? ''
const ROOT = { pid: 1_000, startTime: '7', mark }

/** A /proc that the test writes. */
class Written {
  readonly folder = mkdtempSync(join(tmpdir(), 'proc-'))
  readonly proc = new ProcFiles(this.folder)

  add(
    pid: number,
    { parent = 1, group = pid, start = '7', environment = 'A=1\0', limits = '', state = 'S' } = {},
  ): this {
    mkdirSync(join(this.folder, String(pid)), { recursive: true })
    const stat = [state, parent, group, ...Array<number>(8).fill(0), 1, 2, 3, 4, 0, 0, 0, 0, start, 0, 0].join(' ')
    this.#write(`${pid}/stat`, `${pid} (a) b (c) ${stat}\n`)
    this.#write(`${pid}/environ`, environment)
    this.#write(`${pid}/limits`, limits)
    return this
  }

  children(pid: number, list: string): this {
    mkdirSync(join(this.folder, `${pid}/task/${pid}`), { recursive: true })
    this.#write(`${pid}/task/${pid}/children`, list)
    return this
  }

  remove(pid: number): void {
    rmSync(join(this.folder, String(pid)), { recursive: true })
  }

  lastPid(pid: number): this {
    this.#write('loadavg', `0.00 0.01 0.05 1/100 ${pid}\n`)
    return this
  }

  #write(path: string, text: string): void {
    writeFileSync(join(this.folder, path), text)
  }
}

let written: Written
beforeEach(() => {
  written = new Written().lastPid(1_000).add(1_000)
})
afterEach(() => rmSync(written.folder, { recursive: true }))

const pids = (stats: readonly ProcStat[]): number[] => stats.map(({ pid }) => pid).toSorted((a, b) => a - b)

test('a stat line is read whatever its name holds', () => {
  expect(written.proc.stat(1_000)).toEqual({
    pid: 1_000,
    state: 'S',
    parent: 1,
    group: 1_000,
    ownTicks: 3,
    reapedTicks: 7,
    startTime: '7',
  })
})

describe('a family holds', () => {
  test.each<[string, Parameters<Written['add']>[1], boolean]>([
    ['children', { parent: 1_000 }, true],
    ['its group', { group: 1_000 }, true],
    ['who has its mark', { environment: `A=1\0${mark}\0B=2\0` }, true],
    ['who has its limit', { limits: `Max realtime timeout      ${number}   ${number}   us\n` }, true],
    ['zombies', { parent: 1_000, state: 'Z' }, true],
    ['no strangers', {}, false],
    ['nobody of another mark', { environment: 'CODE_RUNTIME_RUN=2305843009213693953\0' }, false],
    ['nobody with part of its mark', { environment: `${mark}0\0` }, false],
  ])('%s', (_title, process, isMember) => {
    const family = new ProcessFamily(written.proc, ROOT)
    written.lastPid(1_001).add(1_001, process)
    expect(pids(family.look())).toEqual(isMember ? [1_000, 1_001] : [1_000])
    expect(pids(family.descendants())).toEqual(isMember && process?.state !== 'Z' ? [1_001] : [])
  })

  test('who was seen in it, wherever it went since', () => {
    const family = new ProcessFamily(written.proc, ROOT)
    written.lastPid(1_001).add(1_001, { parent: 1_000 })
    family.look()
    written.remove(1_000)
    written.add(1_001, { parent: 1 })
    expect(pids(family.look())).toEqual([1_001])
  })

  test('nobody who has got the pid of one of them', () => {
    const family = new ProcessFamily(written.proc, ROOT)
    written.lastPid(1_001).add(1_001, { parent: 1_000 })
    family.look()
    written
      .lastPid(1_002)
      .add(1_001, { start: '9' })
      .add(1_000, { start: '9' })
      .add(1_002, { parent: 1_000, group: 1_000 })
    expect(pids(family.look())).toEqual([])
  })

  test('who could not be told at first, in the middle of exec', () => {
    const family = new ProcessFamily(written.proc, ROOT)
    written.lastPid(1_001).add(1_001, { environment: '' })
    expect(pids(family.look())).toEqual([1_000])
    written.add(1_001, { environment: `${mark}\0` })
    expect(pids(family.look())).toEqual([1_000, 1_001])
  })
})

describe('who is looked at', () => {
  class Counting extends ProcFiles {
    listings = 0
    override pids(): number[] {
      this.listings += 1
      return super.pids()
    }
  }
  const counting = () => {
    const proc = new Counting(written.folder)
    return { proc, family: new ProcessFamily(proc, ROOT) }
  }

  test('nobody new when no process was started since two looks ago', () => {
    const { family, proc } = counting()
    for (let i = 0; i < 5; i += 1) family.look()
    expect(proc.listings).toBe(1)
    written.lastPid(1_001).add(1_001, { parent: 1_000 })
    for (let i = 0; i < 5; i += 1) expect(pids(family.look())).toEqual([1_000, 1_001])
    expect(proc.listings).toBe(3)
  })

  test('nobody older than the guest', () => {
    const { family } = counting()
    written.lastPid(1_001).add(999, { parent: 1_000 })
    expect(pids(family.look())).toEqual([1_000])
  })

  test('only those started since the first look, when the guest had no children then', () => {
    written.children(1_000, '').add(1_001, { parent: 1_000 }).lastPid(1_001)
    const { family } = counting()
    expect(pids(family.look())).toEqual([1_000])
    written.lastPid(1_002).add(1_002, { parent: 1_000 })
    expect(pids(family.look())).toEqual([1_000, 1_002])
  })

  test('all since the guest, when it had children at the first look', () => {
    written.children(1_000, '1001 ').add(1_001, { parent: 1_000 }).lastPid(1_005)
    expect(pids(counting().family.look())).toEqual([1_000, 1_001])
  })

  test('everybody once the pids went round', () => {
    const { family } = counting()
    written.lastPid(10).add(10, { parent: 1_000 })
    expect(pids(family.look())).toEqual([10, 1_000])
    written.lastPid(1_005).add(11, { parent: 1_000 })
    expect(pids(family.look())).toEqual([10, 11, 1_000])
  })

  test('everybody when nobody looked for long', () => {
    let nowMs = 0
    const horizon = new PidHorizon(written.proc, 1_000, () => nowMs)
    written.lastPid(1_001).add(10)
    nowMs = 1_000
    expect(horizon.newer()).toEqual([1_000])
    nowMs = 2_001
    expect(horizon.newer()?.toSorted()).toEqual([10, 1_000])
  })

  test('everybody where the last pid is not told', () => {
    written.lastPid(Number.NaN).add(10, { parent: 1_000 })
    expect(pids(counting().family.look())).toEqual([10, 1_000])
  })
})

describe('a meter', () => {
  const stat = (pid: number, parent: number, ownTicks: number, reapedTicks = 0): ProcStat => ({
    pid,
    parent,
    ownTicks,
    reapedTicks,
    group: 1,
    state: 'S',
    startTime: String(pid),
  })

  test.each<[string, ProcStat[][], number]>([
    ['adds up the living', [[stat(1, 0, 5, 2), stat(2, 1, 3)]], 10],
    ['counts a child once that was waited for', [[stat(1, 0, 5), stat(2, 1, 3)], [stat(1, 0, 5, 4)]], 9],
    ['keeps a child that nobody waited for', [[stat(1, 0, 5), stat(2, 1, 3)], [stat(1, 0, 6)]], 9],
    [
      'keeps a child whose parent is gone as well',
      [[stat(1, 0, 5), stat(2, 1, 3), stat(3, 2, 4)], [stat(1, 0, 5, 3)]],
      12,
    ],
    ['counts what a grandparent got', [[stat(1, 0, 5), stat(2, 1, 3), stat(3, 2, 4)], [stat(1, 0, 5, 7)]], 12],
    ['keeps everybody', [[stat(1, 0, 5), stat(2, 1, 3)], []], 8],
    ['keeps an orphan', [[stat(1, 0, 5), stat(2, 99, 3)], [stat(1, 0, 5)]], 8],
    [
      'tells who has got a pid again',
      [
        [stat(1, 0, 5), stat(2, 1, 3)],
        [stat(1, 0, 5), { ...stat(2, 1, 1), startTime: 'new' }],
      ],
      9,
    ],
  ])('%s', (_title, looks, ticks) => {
    const meter = new TreeMeter()
    const totals = looks.map((stats) => meter.ticks(stats))
    expect(totals.at(-1)).toBe(ticks)
  })
})
