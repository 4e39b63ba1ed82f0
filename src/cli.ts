#!/usr/bin/env node
import { CONFORMANCE_USAGE, runConformanceCommand } from './cli/conformance-command.js'
import { UsageError } from './cli/usage-error.js'

const USAGE_EXIT_CODE = 2

const run = async ([command, ...args]: readonly string[]): Promise<number> => {
  if (command === 'conformance' && !args.includes('--help')) return runConformanceCommand(args)
  process.stdout.write(`${CONFORMANCE_USAGE}\n`)
  return command === 'conformance' || command === '--help' ? 0 : USAGE_EXIT_CODE
}

run(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${error.message}\n\n${CONFORMANCE_USAGE}\n`)
    process.exitCode = USAGE_EXIT_CODE
  },
)
