import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkGuestFrame } from '../../src/domain/frame-check.js'
import { type CodeBlock, codeBlocks, expectedOutput, pages, readPage } from './code-blocks.js'

const generated = fileURLToPath(new URL('./.generated', import.meta.url))
const printed: string[] = []
const { log } = console

mkdirSync(generated, { recursive: true })

beforeAll(() => {
  console.log = (...args: unknown[]) => printed.push(format(...args))
})
afterAll(() => {
  console.log = log
  rmSync(generated, { recursive: true, force: true })
})

const generate = (block: CodeBlock): string => {
  const file = join(generated, `${block.page.replaceAll(/\W/g, '-')}-${block.line}.mjs`)
  writeFileSync(file, block.text)
  return file
}

const run = async (block: CodeBlock): Promise<string[]> => {
  printed.length = 0
  await import(generate(block))
  return [...printed]
}

describe.each(pages())('%s', (page) => {
  const blocks = codeBlocks(page)
  const scripts = blocks.filter(({ language }) => language === 'js')
  const isSuite = ({ text }: CodeBlock): boolean => text.includes(`from 'vitest'`)

  describe.each(scripts.filter(isSuite))('the suite at line $line', async (block) => {
    await import(generate(block))
  })

  it.each(scripts.filter((block) => !isSuite(block)))(
    'the example at line $line prints what it says',
    async (block) => {
      const output = await run(block)
      const following = blocks[blocks.indexOf(block) + 1]
      const expected = expectedOutput(block)
      if (expected.length > 0) expect(output).toEqual(expected)
      else expect(`${output.join('\n')}\n`).toBe(following?.language === 'text' ? following.text : 'no expectation')
    },
  )

  it('every block has a language that this test knows', () => {
    expect(
      blocks.map(({ language }) => language).filter((name) => !['js', 'json', 'sh', 'text'].includes(name)),
    ).toEqual([])
  })

  it.each(blocks.filter(({ language }) => language === 'json'))('the frames at line $line are valid', ({ text }) => {
    for (const line of text.trim().split('\n')) {
      const frame = JSON.parse(line) as { type: string }
      const isFromHost = ['boot', 'run', 'reply'].includes(frame.type)
      if (!isFromHost) expect(checkGuestFrame(frame)).toEqual(frame)
    }
  })

  it('every link to a file leads to one', () => {
    const links = [...readPage(page).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target)
    const folder = dirname(fileURLToPath(new URL(`../../${page}`, import.meta.url)))
    expect(links.filter((target) => !existsSync(join(folder, target)))).toEqual([])
  })
})
