import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CodeRuntime, createCodeRuntime, type Limits, type RunResult } from '../../src/index.js'
import { said, useHostProcess } from '../support/host-process.js'
import { until } from '../support/processes.js'
import { RecordingControl } from '../support/recording-control.js'

const LIBRARY_MS = 120_000
const LIBRARIES = ['numpy', 'pandas', 'matplotlib'] as const
const CANDIDATES = ['python3', '/usr/bin/python3', '/usr/local/bin/python3', '/opt/homebrew/bin/python3']

/** Which of the libraries an interpreter can import. */
const librariesOf = (bin: string): string[] =>
  LIBRARIES.filter((library) => spawnSync(bin, ['-I', '-c', `import ${library}`], { stdio: 'ignore' }).status === 0)

const [pythonBin, installed] = CANDIDATES.map((bin) => [bin, librariesOf(bin)] as const).reduce((best, next) =>
  next[1].length > best[1].length ? next : best,
)

/** A test of one program; it is skipped, visibly, where a library that it imports is missing. */
const testProgram = (title: string, program: string, check: (program: string) => Promise<void>): void => {
  const missing = LIBRARIES.filter((library) => program.includes(`import ${library}`) && !installed.includes(library))
  const why = missing.length === 0 ? '' : ` (skipped: no interpreter has ${missing.join(', ')})`
  test.skipIf(missing.length > 0)(`${title}${why}`, () => check(program))
}

const host = useHostProcess()

/** No diagnostic shows where the libraries are installed. */
const HOST_PATHS = /\/usr\b|\/root\b|\/home\b|site-packages|dist-packages|\/tmp\//

const PROGRAMS: readonly (readonly [title: string, program: string, expected: unknown])[] = [
  [
    'numpy multiplies matrices',
    'import numpy as np\na = np.arange(90_000.0).reshape(300, 300)\nreturn [bool((a @ np.eye(300) == a).all()), int(np.arange(5).sum())]',
    [true, 10],
  ],
  [
    'numpy solves and transforms',
    `import numpy as np
x = np.linalg.solve([[3.0, 1.0], [1.0, 2.0]], [9.0, 8.0])
wave = np.abs(np.fft.rfft(np.sin(np.arange(64) * 2 * np.pi * 5 / 64)))
return [x.round(9).tolist(), int(wave.argmax()), np.random.default_rng(7).integers(0, 10, 3).shape[0]]`,
    [[2, 3], 5, 3],
  ],
  [
    'numpy scalars cross by .item()',
    'import numpy as np\nreturn [np.int64(3).item(), np.float32(0.5).item(), np.bool_(True).item(), np.ones(2).tolist()]',
    [3, 0.5, true, [1, 1]],
  ],
  [
    'pandas groups',
    'import pandas as pd\nframe = pd.DataFrame({"k": ["a", "b", "a"], "n": [1, 2, 3]})\nreturn frame.groupby("k")["n"].agg(["sum", "mean"]).to_dict("index")',
    { a: { sum: 4, mean: 2 }, b: { sum: 2, mean: 2 } },
  ],
  [
    'pandas merges what bindings gave, into records',
    `import asyncio
import pandas as pd
people, sales = await asyncio.gather(tools.people(), tools.sales())
merged = pd.DataFrame(people).merge(pd.DataFrame(sales), on="id", how="left").fillna({"total": 0})
merged["when"] = pd.to_datetime("2026-11-29") + pd.to_timedelta(merged["id"], unit="D")
merged["when"] = merged["when"].dt.strftime("%Y-%m-%d")
print(await tools.keep(merged[["name"]].to_dict("list")))
return merged.sort_values("total", ascending=False).to_dict("records")`,
    [
      { id: 2, name: 'Bo', total: 7.5, when: '2026-12-01' },
      { id: 1, name: 'Al', total: 0, when: '2026-11-30' },
    ],
  ],
  [
    'pandas reads and writes CSV',
    'import io\nimport pandas as pd\nframe = pd.read_csv(io.StringIO("a,b\\n1,x\\n2,y\\n"))\nprint(frame.to_csv(index=False), end="")\nreturn str(frame.dtypes["a"])',
    'int64',
  ],
  [
    'matplotlib saves a figure that reads back',
    `import io
import matplotlib.pyplot as plt
figure, (left, right) = plt.subplots(1, 2, figsize=(4, 2), dpi=50)
left.plot([1, 2, 3], label="line")
left.legend()
right.hist([1, 1, 2], bins=2)
figure.suptitle("Größe $x^2$")
plt.show()
out = io.BytesIO()
plt.savefig(out)
out.seek(0)
return [out.getvalue()[:4].hex(), list(plt.imread(out).shape)]`,
    ['89504e47', [100, 200, 4]],
  ],
  [
    'all three work in one program',
    `import io
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
frame = pd.DataFrame({"x": np.linspace(0, 1, 11)}).assign(y=lambda f: f.x ** 2)
axes = frame.plot(x="x", y="y")
out = io.BytesIO()
axes.figure.savefig(out, format="svg")
return [frame["y"].sum().round(6).item(), b"</svg>" in out.getvalue()]`,
    [3.85, true],
  ],
]

const REFUSALS: readonly (readonly [title: string, completion: string, message: RegExp])[] = [
  ['an integer scalar', '{"n": np.int64(3)}', /\$\.n.*\(int64\).*\.item\(\)/],
  ['a float scalar, though it is a float', '[np.float64(1.5)]', /\$\[0\].*\(float64\).*\.item\(\)/],
  ['an array', '{"rows": [np.ones(3)]}', /\$\.rows\[0\].*\(ndarray\).*\.tolist\(\)/],
  ['a DataFrame', 'pd.DataFrame({"a": [1]})', /\$ .*\(DataFrame\).*\.to_dict\("records"\)/],
  ['a Series', '{"s": pd.Series([1])}', /\$\.s.*\(Series\).*\.tolist\(\)/],
  [
    'a Timestamp in records',
    'pd.DataFrame({"t": [pd.Timestamp(0)]}).to_dict("records")',
    /\$\[0\]\.t.*\.isoformat\(\)/,
  ],
  ['a missing number', 'pd.DataFrame({"a": [1.0, None]}).to_dict("records")', /\$\[1\]\.a.*non-finite.*None/],
  ['keys that are no text', 'pd.Series({1: 2}).to_dict()', /non-string dict key \(int\).*str\(key\)/],
]

const IMPORTS = 'import numpy as np\nimport pandas as pd'

const TOOLS = {
  people: () => [
    { id: 1, name: 'Al' },
    { id: 2, name: 'Bo' },
  ],
  sales: () => [{ id: 2, total: 7.5 }],
  keep: (kept: unknown) => kept,
}

interface Way {
  readonly warm: number
  readonly forkServer: boolean
}

const WAYS: readonly (readonly [title: string, way: Way])[] = [
  ['in a guest started for the run', { warm: 0, forkServer: false }],
  ['in a prepared guest', { warm: 1, forkServer: false }],
  ['in a fork of a server', { warm: 0, forkServer: true }],
]

/** Runs in one runtime; with prepared guests, each run waits until there is one. */
const useLibraries = ({ warm, forkServer }: Way, limits: Limits = {}) => {
  const processControl = new RecordingControl()
  let runtime: CodeRuntime
  let runs = 0
  const run = async (program: string): Promise<RunResult> => {
    if (runs > 0 && !forkServer) await until(() => processControl.pids.length === runs + warm, 'a guest is prepared')
    runs += 1
    return await runtime.run({ program, bindings: [{ global: 'tools', functions: TOOLS }] })
  }
  beforeAll(async () => {
    const adapters = { processControl }
    runtime = await createCodeRuntime({
      language: 'python',
      pythonBin,
      warm,
      limits,
      adapters,
      ...(forkServer && { forkServer }),
    })
    await run('')
  })
  afterAll(() => runtime.dispose())
  return run
}

const MEMORY: readonly (readonly [title: string, program: string, message: RegExp])[] = [
  ['an array', 'import numpy as np\nnp.ones(10**10)', /^\S*MemoryError: Unable to allocate 74\.5 GiB/m],
  ['many arrays', 'import numpy as np\nkept = []\nwhile True: kept.append(np.empty(10**7))', /MemoryError/],
  ['a Series', 'import pandas as pd\npd.Series(range(10)).repeat(10**9)', /MemoryError/],
  [
    'a figure',
    'import matplotlib.pyplot as plt\nplt.figure(figsize=(600, 600)).canvas.draw()',
    /MemoryError|bad_alloc/,
  ],
]

const ENDLESS: readonly (readonly [title: string, program: string])[] = [
  ['one long call', 'import numpy as np\nprint("begun")\na = np.ones((8_000, 8_000))\na @ a'],
  ['many short calls', 'import numpy as np\nprint("begun")\nwhile True: np.ones(1_000).sum()'],
  [
    'calls with the signal ignored',
    `import signal
import numpy as np
print("begun")
signal.signal(signal.SIGXCPU, signal.SIG_IGN)
while True: np.sort(np.random.default_rng(1).random(10**6))`,
  ],
]

const FRAME_ERROR = 'import pandas as pd\npd.DataFrame({"a": [1]})["b"]'

const PLOT = 'import io\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.savefig(io.BytesIO())\nreturn 1'

describe.each(WAYS)('%s, under the default limits,', { timeout: LIBRARY_MS }, (_title, way) => {
  const run = useLibraries(way)

  for (const [title, text, expected] of PROGRAMS)
    testProgram(title, text, async (program) => {
      const { value, error } = await run(program)
      expect(error).toBeUndefined()
      expect(value).toEqual(expected)
    })

  for (const [title, completion, message] of REFUSALS)
    testProgram(`a completion is refused: ${title}`, `${IMPORTS}\nreturn ${completion}`, async (program) => {
      const { error } = await run(program)
      expect(error).toEqual({ kind: 'invalid-output', message: expect.stringMatching(message) })
    })

  testProgram(
    'an argument that is a DataFrame never reaches the host',
    'import pandas as pd\nawait tools.keep(pd.DataFrame())',
    async (program) => {
      const { error, calls } = await run(program)
      expect([error?.kind, calls]).toEqual(['exception', []])
      expect(error?.message).toContain('use .to_dict("records")')
    },
  )

  for (const [title, text, message] of MEMORY)
    testProgram(`memory asked for in vain is an exception: ${title}`, text, async (program) => {
      const { error } = await run(program)
      expect(error).toEqual({ kind: 'exception', message: expect.stringMatching(message) })
      expect(error?.message).not.toMatch(HOST_PATHS)
    })

  testProgram(
    'a program goes on after it asked for too much',
    'import numpy as np\ntry: np.ones(10**10)\nexcept MemoryError: return np.ones(10**6).sum().item()',
    async (program) => expect((await run(program)).value).toBe(1e6),
  )

  testProgram('a diagnostic names libraries by their modules, in a chain too', FRAME_ERROR, async (program) => {
    const { error } = await run(program)
    expect(error?.kind).toBe('exception')
    expect(error?.message).toMatch(/File "pandas\/core\/frame\.py", line \d+/)
    expect(error?.message).toContain('File "<model>", line 2, in <module>')
    expect(error?.message).toMatch(/KeyError: 'b'$/)
    expect(error?.message).not.toMatch(HOST_PATHS)
  })
})

describe.each(WAYS)('%s, CPU time spent inside numpy', { timeout: LIBRARY_MS }, (_title, way) => {
  const run = useLibraries(way, { cpuSeconds: 1 })

  for (const [title, text] of ENDLESS)
    testProgram(`ends ${title}`, text, async (program) => {
      const { error, logs } = await run(program)
      expect(error).toEqual({ kind: 'timeout', message: expect.stringContaining('cpuSeconds') })
      expect(logs).toEqual(['begun'])
    })
})

describe.skipIf(process.getuid?.() !== 0)('for a user without a home (needs root)', { timeout: LIBRARY_MS }, () => {
  testProgram('a plot prints nothing and leaves nothing', PLOT, async (program) => {
    const temp = mkdtempSync(join(tmpdir(), 'homeless-'))
    chmodSync(temp, 0o777)
    const end = await host(
      `const runtime = await createCodeRuntime({ language: 'python', pythonBin: '${pythonBin}', warm: 0, cwd: '/' })
process.setgroups([])
process.setgid(65534)
process.setuid(65534)
const { value, logs, error } = await runtime.run({ program: ${JSON.stringify(program)} })
say({ value, logs, error })
await runtime.dispose()`,
      { env: { TMPDIR: temp } },
    )
    expect(said(end)).toEqual([{ value: 1, logs: [] }])
    expect(readdirSync(temp)).toEqual([])
    rmdirSync(temp)
  })
})
