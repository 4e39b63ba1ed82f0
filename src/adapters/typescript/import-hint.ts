const MAX_STATEMENT = 1_000
const NAME = '[A-Za-z_$][\\w$]*'
const FROM = `(?<from>'[^']+'|"[^"]+")(?! ?(?:with|assert)\\b)`
const IMPORT = new RegExp(
  `^import ?(?:(?<value>${NAME}) ?,? ?)?(?:\\* ?as (?<namespace>${NAME}) ?|\\{(?<members>[^}'"]*)\\} ?)?(?:from ?)?${FROM}`,
)
const REQUIRE = new RegExp(`^import (?<name>${NAME}) ?= ?require ?\\( ?${FROM}`)
const ALIAS = new RegExp(`^import (?<name>${NAME}) ?= ?(?<target>${NAME}(?: ?\\. ?${NAME})*)`)

/** What to write in place of the `import` or `export` that begins there. */
export const moduleHint = (program: string, offset: number): string => {
  const statement = program.slice(offset, offset + MAX_STATEMENT).replace(/\s+/g, ' ')
  if (statement.startsWith('export')) return exportHint(statement)
  if (/^import type (?!from ['"]|[,=])/.test(statement)) return TYPE_IMPORT
  const replacement = replaceRequire(statement) ?? replaceAlias(statement) ?? replaceImport(statement)
  return `Static \`import\` is not available in a program: use \`${replacement ?? "await import('node:fs')"}\``
}

const TYPE_IMPORT =
  "`import type` is not needed in a program: leave it out, types are not checked (for a value: `await import('node:fs')`)"

const exportHint = (statement: string): string => {
  const advice = statement.startsWith('export default')
    ? 'use `return`'
    : 'leave it out and use `return` for the result'
  return `\`export\` is not available in a program: ${advice}`
}

const replaceRequire = (statement: string): string | undefined => {
  const { name, from } = REQUIRE.exec(statement)?.groups ?? {}
  return name && `const ${name} = (await import(${from})).default`
}

const replaceAlias = (statement: string): string | undefined => {
  const { name, target } = ALIAS.exec(statement)?.groups ?? {}
  return name && `const ${name} = ${target}`
}

const replaceImport = (statement: string): string | undefined => {
  const { value, namespace, members, from } = IMPORT.exec(statement)?.groups ?? {}
  if (from === undefined) return undefined
  if (namespace) return `const ${namespace} = await import(${from})${value ? `, ${value} = ${namespace}.default` : ''}`
  if (members !== undefined) return `const { ${toPattern(value, members)} } = await import(${from})`
  return value ? `const ${value} = (await import(${from})).default` : `await import(${from})`
}

/** `a, b as c, type D` as `a, b: c`. */
const toPattern = (value: string | undefined, members: string): string =>
  [value && `default: ${value}`, ...members.split(',').map((member) => member.trim())]
    .filter((member) => member && !/^type (?!as\b)/.test(member))
    .map((member) => member?.replace(' as ', ': '))
    .join(', ')
