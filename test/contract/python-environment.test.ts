import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { runPython } from '../support/python.js'

it('TMPDIR is all that a process gets', async () => {
  const { value } = await runPython(`import os\nreturn os.environ.get('TMPDIR')`)
  expect(value).toBe(tmpdir())
})
