import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** The path of a file that belongs to this package, by its name in package.json `imports`. */
export const assetPath = (name: `#${string}`): string => require.resolve(name)
