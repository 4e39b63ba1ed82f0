import { parseArgs } from 'node:util'
import { FAMILIES } from './families.mjs'
import { RIVALS } from './rivals/list.mjs'

export const USAGE = `npm run bench -- [options]
  --only NAMES       families to run, with commas: ${Object.keys(FAMILIES).join(', ')}
  --rivals NAMES     of the family rivals only these: ${Object.keys(RIVALS).join(', ')}
  --python PATH      an interpreter of the Python rows; may be repeated (default: the one behind python3)
  --json PATH        writes all rows there
  --markdown PATH    puts the tables between the marks of that page
  --quick            few rounds: shows that it works, measures little
  --no-install       leaves the packages of bench/package.json uninstalled, and skips what needs them`

/** The options of the command line; throws on what it does not know. */
export const readOptions = (args) => {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      rivals: { type: 'string' },
      python: { type: 'string', multiple: true, default: ['python3'] },
      json: { type: 'string' },
      markdown: { type: 'string' },
      quick: { type: 'boolean', default: false },
      'no-install': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const { only, rivals, python, json, markdown, quick, help } = values
  return {
    families: chosen(only, Object.keys(FAMILIES), '--only'),
    rivals: chosen(rivals, Object.keys(RIVALS), '--rivals'),
    pythons: python,
    ...{ json, markdown, quick, help },
    mayInstall: !values['no-install'],
  }
}

const chosen = (text, known, option) => {
  const names = text?.split(',') ?? known
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`${option}: unknown ${unknown.join(', ')}; there are ${known.join(', ')}`)
  return names
}
