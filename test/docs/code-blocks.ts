import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface CodeBlock {
  readonly page: string
  readonly line: number
  readonly language: string
  readonly text: string
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const FENCE = /^```(\w*)$/

export const pages = (): string[] => ['README.md', ...readdirSync(`${root}docs`).map((name) => `docs/${name}`)]

export const readPage = (page: string): string => readFileSync(root + page, 'utf8')

/** The fenced code blocks of a page. */
export const codeBlocks = (page: string): CodeBlock[] => {
  const blocks: CodeBlock[] = []
  let open: { line: number; language: string; lines: string[] } | undefined
  for (const [index, text] of readPage(page).split('\n').entries()) {
    const fence = FENCE.exec(text)
    if (fence === null) open?.lines.push(text)
    else if (open === undefined) open = { line: index + 1, language: fence[1] ?? '', lines: [] }
    else {
      blocks.push({ page, line: open.line, language: open.language, text: `${open.lines.join('\n')}\n` })
      open = undefined
    }
  }
  return blocks
}

/** What the block says that it prints: the comments behind its `console.log` lines, in order. */
export const expectedOutput = ({ text }: CodeBlock): string[] =>
  text.split('\n').flatMap((line) => /^\s*console\.log\(.*\) \/\/ (.*)$/.exec(line)?.slice(1, 2) ?? [])
