import { readData } from './safe-read.js'

export interface ErrorLink {
  readonly error: unknown
  /** How it hangs together with the one before it. */
  readonly relation: '' | 'Caused by: ' | 'One of its errors: '
}

export const MAX_LINKS = 100

/** An error, its causes and the members of its groups, at most 100, and whether more were cut off. */
export const errorLinks = (error: unknown): { links: ErrorLink[]; isCut: boolean } => {
  const links: ErrorLink[] = []
  const seen = new Set<unknown>()
  const waiting: ErrorLink[] = [{ error, relation: '' }]
  for (let link = waiting.pop(); link !== undefined; link = waiting.pop()) {
    if (seen.has(link.error)) continue
    if (links.length === MAX_LINKS) return { links, isCut: true }
    if (typeof link.error === 'object') seen.add(link.error)
    links.push(link)
    waiting.push(...causeOf(link.error), ...membersOf(link.error).reverse())
  }
  return { links, isCut: false }
}

const causeOf = (error: unknown): ErrorLink[] => {
  const cause = readData(error, 'cause')
  return cause === undefined ? [] : [{ error: cause, relation: 'Caused by: ' }]
}

const membersOf = (error: unknown): ErrorLink[] => {
  const members = readData(error, 'errors')
  if (!Array.isArray(members)) return []
  const links: ErrorLink[] = []
  for (let index = 0; index < members.length && index <= MAX_LINKS; index += 1) {
    links.push({ error: readData(members, index), relation: 'One of its errors: ' })
  }
  return links
}
