const REACH = 1_000
const TAG = /<\/[A-Za-z][\w.-]*\s*>|<[A-Za-z][\w.-]*(?:\s[^<>]*)?\/>|<[A-Za-z][\w.-]*\s+[\w-]+=["'{]|<>|<\/>/

/** Whether the line where a parser stopped, or the last one before that holds text, has a tag outside of a string. */
export const usesJsx = (source: string, offset: number): boolean => {
  const before = source.slice(Math.max(0, offset - REACH), offset)
  const [rest = ''] = source.slice(offset, offset + REACH).split(/[\n\r]/, 1)
  return [...before.trimEnd().split(/[\n\r]+/), (before.split(/[\n\r]/).at(-1) ?? '') + rest].slice(-2).some(hasTag)
}

const hasTag = (line: string): boolean => {
  const tag = TAG.exec(line)
  return tag !== null && !/['"`]/.test(line.slice(0, tag.index))
}
