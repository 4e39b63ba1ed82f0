import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const LIMIT_MS = 600_000
const ANSWER = 'answer: '

/**
 * Runs a script of this folder in a fresh process, so that nothing measured before weighs on it. Resolves with its
 * answer; rejects with the end of what it said where it gave none.
 */
export const inChild = (script, argument, { execArgv = [] } = {}) =>
  new Promise((resolve, reject) => {
    const path = fileURLToPath(new URL(script, import.meta.url))
    const child = spawn(process.execPath, [...execArgv, path, JSON.stringify(argument)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    })
    const texts = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (piece) => {
        texts[name] += piece
      })
    }
    child.on('close', (code, signal) => {
      const line = texts.stdout.trim().split('\n').at(-1)
      if (line.startsWith(ANSWER)) resolve(JSON.parse(line.slice(ANSWER.length)))
      else reject(new Error(`${script} ended with ${signal ?? code}: ${texts.stderr.trim().slice(-600)}`))
    })
  })

/** What the parent asked for. */
export const argument = () => JSON.parse(process.argv[2])

/** Answers the parent and ends, whatever a package left running. */
export const answer = (value) => print(value, () => process.exit(0))

/** The same without a way out on which a native package could crash or hang. */
export const answerAndDie = (value) => print(value, () => process.kill(process.pid, 'SIGKILL'))

const print = (value, then) => process.stdout.write(`\n${ANSWER}${JSON.stringify(value)}\n`, then)
