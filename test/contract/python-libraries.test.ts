import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { createCodeRuntime } from '../../src/index.js'
import { onEveryPython } from '../support/python.js'

/** The first interpreter that can import a library. */
const interpreterWith = (library: string): string | undefined =>
  ['/usr/bin/python3', 'python3'].find(
    (bin) => spawnSync(bin, ['-I', '-c', `import ${library}`], { stdio: 'ignore' }).status === 0,
  )

const PROGRAMS: readonly (readonly [string, string, unknown])[] = [
  [
    'numpy',
    'import numpy as np\na = np.ones((300, 300))\nreturn [float((a @ a).sum()), int(np.arange(5).sum())]',
    [2.7e7, 10],
  ],
  [
    'pandas',
    'import pandas as pd\nframe = pd.DataFrame({"k": ["a", "b", "a"], "n": [1, 2, 3]})\nreturn frame.groupby("k")["n"].sum().to_dict()',
    { a: 4, b: 2 },
  ],
  [
    'matplotlib',
    'import matplotlib.pyplot as plt\nimport io\nplt.plot([1, 2, 3])\nplt.show()\nout = io.BytesIO()\nplt.savefig(out)\nreturn out.getvalue()[1:4].decode()',
    'PNG',
  ],
]

onEveryPython((python) => {
  describe('libraries work under the default limits', () => {
    for (const [library, program, expected] of PROGRAMS) {
      const pythonBin = interpreterWith(library)
      const title = pythonBin === undefined ? `${library} (not installed: skipped)` : library
      it.skipIf(pythonBin === undefined)(
        title,
        async () => {
          await using runtime = await createCodeRuntime({ ...python, pythonBin: pythonBin as string })
          const { value, error } = await runtime.run({ program })
          expect(error).toBeUndefined()
          expect(value).toEqual(expected)
        },
        120_000,
      )
    }

    const numpyBin = interpreterWith('numpy')
    it.skipIf(numpyBin === undefined)(
      'a numpy scalar is refused with what to write instead',
      async () => {
        await using runtime = await createCodeRuntime({ ...python, pythonBin: numpyBin as string })
        const { error } = await runtime.run({ program: 'import numpy as np\nreturn {"n": np.int64(3)}' })
        expect(error?.kind).toBe('invalid-output')
        expect(error?.message).toMatch(/\$\.n.*\.item\(\)/s)
      },
      120_000,
    )
  })
})
